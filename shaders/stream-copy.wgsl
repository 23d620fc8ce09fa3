// STREAM copy: dst = a.
// Uses lib/grid.wgsl, lib/stream.wgsl and one lib/element-*.wgsl.
@group(0) @binding(0) var<uniform> stream: Stream;
// The array that is read.
@group(0) @binding(1) var<storage, read> a: array<Element>;
// The array that is written. Where threads outnumber elements, several store the same value at one place.
@group(0) @binding(2) var<storage, read_write> dst: array<Element>;

@compute @workgroup_size(workgroup_size)
fn stream_copy(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) workgroups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let thread = linear_index(workgroup, workgroups, local);
  if (thread >= stream.threads) {
    return;
  }
  var index = thread + stream.first_step * (UNROLL * stream.threads);
  for (var step = 0u; step < stream.steps; step++) {
    let i0 = index & stream.mask;
    let i1 = (index + stream.threads) & stream.mask;
    let i2 = (index + 2u * stream.threads) & stream.mask;
    let i3 = (index + 3u * stream.threads) & stream.mask;
    dst[i0] = a[i0];
    dst[i1] = a[i1];
    dst[i2] = a[i2];
    dst[i3] = a[i3];
    index += UNROLL * stream.threads;
  }
}
