// Strided gather: neighbouring threads read elements 2^seed apart, and a whole pass reads every element once: the bits of
// the running index are rotated. Uses lib/grid.wgsl, lib/stream.wgsl and one lib/element-*.wgsl.
@group(0) @binding(0) var<uniform> stream: Stream;
// The array that is read.
@group(0) @binding(1) var<storage, read> a: array<Element>;
// One sum a thread, carried from dispatch to dispatch.
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;

fn place_of(index: u32) -> u32 {
  let place = index & stream.mask;
  let bits = countOneBits(stream.mask);
  return ((place << stream.seed) | (place >> (bits - stream.seed))) & stream.mask;
}

@compute @workgroup_size(workgroup_size)
fn stream_strided(
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
    sum += element_bits(a[place_of(index)]);
    sum += element_bits(a[place_of(index + stream.threads)]);
    sum += element_bits(a[place_of(index + 2u * stream.threads)]);
    sum += element_bits(a[place_of(index + 3u * stream.threads)]);
    index += UNROLL * stream.threads;
  }
  sums[thread] += sum;
}
