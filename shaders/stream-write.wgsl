// Global write: every element gets a value that depends on its place.
// Uses lib/grid.wgsl, lib/stream.wgsl and one lib/element-*.wgsl.
@group(0) @binding(0) var<uniform> stream: Stream;
// The array that is written. Where threads outnumber elements, several store the same value at one place.
@group(0) @binding(1) var<storage, read_write> dst: array<Element>;

@compute @workgroup_size(workgroup_size)
fn stream_write(
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
    dst[i0] = written_element(i0, stream.seed);
    dst[i1] = written_element(i1, stream.seed);
    dst[i2] = written_element(i2, stream.seed);
    dst[i3] = written_element(i3, stream.seed);
    index += UNROLL * stream.threads;
  }
}
