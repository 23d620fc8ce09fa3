// Lays a cycle over all lines of 64 bytes of a buffer, in an order that looks random: the first word of a line holds the
// number of the next line. Uses lib/grid.wgsl and lib/permute.wgsl.
struct Ring {
  // Lines are 2^bits.
  bits: u32,
  salt: u32,
}

@group(0) @binding(0) var<uniform> shape: Ring;
// 16 words a line.
@group(0) @binding(1) var<storage, read_write> ring: array<u32>;

@compute @workgroup_size(workgroup_size)
fn lay_ring(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) workgroups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let place = linear_index(workgroup, workgroups, local);
  let lines = 1u << shape.bits;
  if (place >= lines) {
    return;
  }
  let line = permuted(place, shape.bits, shape.salt);
  ring[line * 16u] = permuted((place + 1u) & (lines - 1u), shape.bits, shape.salt);
}
