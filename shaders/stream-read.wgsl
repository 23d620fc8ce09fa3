// Global read: every element is loaded; each thread adds the bits to its own sum, so that no load can be removed.
// Uses lib/grid.wgsl, lib/stream.wgsl and one lib/element-*.wgsl.
@group(0) @binding(0) var<uniform> stream: Stream;
// The array that is read.
@group(0) @binding(1) var<storage, read> a: array<Element>;
// One sum a thread, carried from dispatch to dispatch.
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;

@compute @workgroup_size(workgroup_size)
fn stream_read(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) workgroups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let thread = linear_index(workgroup, workgroups, local);
  if (thread >= stream.threads) {
    return;
  }
  var index = thread + stream.first_step * (UNROLL * stream.threads);
  var sum = 0u;
  for (var step = 0u; step < stream.steps; step++) {
    let i0 = index & stream.mask;
    let i1 = (index + stream.threads) & stream.mask;
    let i2 = (index + 2u * stream.threads) & stream.mask;
    let i3 = (index + 3u * stream.threads) & stream.mask;
    sum += element_bits(a[i0]);
    sum += element_bits(a[i1]);
    sum += element_bits(a[i2]);
    sum += element_bits(a[i3]);
    index += UNROLL * stream.threads;
  }
  sums[thread] += sum;
}
