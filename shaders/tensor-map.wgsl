// Elementwise: every element is computed from the element of the source at the same place, with some arithmetic whose
// result is known. Uses lib/grid.wgsl, lib/tensor.wgsl.
@compute @workgroup_size(workgroup_size)
fn tensor_map(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) workgroups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let thread = linear_index(workgroup, workgroups, local);
  if (thread >= row.threads) {
    return;
  }
  for (var i = thread; i < row.count; i += row.threads) {
    // An odd factor keeps every bit of an error; without one the product is the tag itself.
    let error = source_error(i) * 0x9e3779b1u;
    target_segment[row.target_start + i] = tag(row.target_hash, row.target_first + i) + error;
  }
}
