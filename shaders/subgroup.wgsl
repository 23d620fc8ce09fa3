enable subgroups;

// Exchange inside a subgroup: neighbours swap their values again and again. Odd lanes add one after each swap, so that two
// swaps add exactly one to every value, and a value carries the number of its thread, so that it must come home. Uses
// lib/grid.wgsl.
struct Swap {
  // Loop steps of this dispatch, 4 swaps each.
  steps: u32,
  threads: u32,
  // 1: which lane is the partner, unknown to the compiler.
  distance: u32,
}

@group(0) @binding(0) var<uniform> swap: Swap;
// One value a thread, carried from dispatch to dispatch.
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;

@compute @workgroup_size(workgroup_size)
fn subgroup_swap(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) workgroups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
  @builtin(subgroup_invocation_id) lane: u32,
) {
  // No early return: every lane of a subgroup must be there to swap.
  let thread = linear_index(workgroup, workgroups, local);
  let own = lane & 1u;
  var value = thread + select(0u, sums[min(thread, swap.threads - 1u)], thread < swap.threads);
  for (var step = 0u; step < swap.steps; step++) {
    value = subgroupShuffleXor(value, swap.distance) + own;
    value = subgroupShuffleXor(value, swap.distance) + own;
    value = subgroupShuffleXor(value, swap.distance) + own;
    value = subgroupShuffleXor(value, swap.distance) + own;
  }
  if (thread < swap.threads) {
    sums[thread] = value - thread;
  }
}
