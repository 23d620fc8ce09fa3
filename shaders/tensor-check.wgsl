// Reduction: counts the words of a tensor that are not its tag, and finds the first of them. Writes nothing where all is
// well. Uses lib/grid.wgsl, lib/tensor.wgsl.
struct Finding {
  // Words that are wrong.
  wrong: atomic<u32>,
  // 2^32 - 1 less the place of the first wrong word; 0 where none is wrong.
  first_from_end: atomic<u32>,
}

// One a check.
@group(0) @binding(3) var<storage, read_write> findings: array<Finding>;

var<workgroup> group_wrong: atomic<u32>;
var<workgroup> group_first: atomic<u32>;

@compute @workgroup_size(workgroup_size)
fn tensor_check(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) workgroups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let thread = linear_index(workgroup, workgroups, local);
  var wrong = 0u;
  var first = 0u;
  if (thread < row.threads) {
    for (var i = thread; i < row.count; i += row.threads) {
      let place = row.target_first + i;
      let same = target_segment[row.target_start + i] == tag(row.target_hash, place);
      if (all(same)) {
        continue;
      }
      for (var lane = 0u; lane < 4u; lane++) {
        if (!same[lane]) {
          wrong++;
          first = max(first, 0xffffffffu - (place * 4u + lane));
        }
      }
    }
  }
  if (wrong > 0u) {
    atomicAdd(&group_wrong, wrong);
    atomicMax(&group_first, first);
  }
  workgroupBarrier();
  if (local == 0u && atomicLoad(&group_wrong) > 0u) {
    atomicAdd(&findings[row.finding].wrong, atomicLoad(&group_wrong));
    atomicMax(&findings[row.finding].first_from_end, atomicLoad(&group_first));
  }
}
