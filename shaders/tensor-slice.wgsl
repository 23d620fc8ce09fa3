// Copies a range of a tensor into a range of another: a slice write, or one part of a concatenation.
// Uses lib/grid.wgsl, lib/tensor.wgsl.
@compute @workgroup_size(workgroup_size)
fn tensor_slice(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) workgroups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let thread = linear_index(workgroup, workgroups, local);
  if (thread >= row.threads) {
    return;
  }
  for (var i = thread; i < row.count; i += row.threads) {
    target_segment[row.target_start + i] = source_error(i) ^ tag(row.target_hash, row.target_first + i);
  }
}
