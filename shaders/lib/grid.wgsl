// A dispatch is folded into x and y, because a dimension holds 65,535 workgroups at most.
override workgroup_size: u32 = 256u;

// The place of an invocation in the unfolded range. May lie past the end: guard it.
fn linear_index(workgroup: vec3<u32>, workgroups: vec3<u32>, local: u32) -> u32 {
  return (workgroup.y * workgroups.x + workgroup.x) * workgroup_size + local;
}
