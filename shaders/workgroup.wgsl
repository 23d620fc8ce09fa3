// Reads of workgroup memory: every thread walks through a tile, neighbouring threads `stride` words apart, so that
// strides above 1 meet the same banks. Uses lib/grid.wgsl.
struct Shared {
  // Loop steps of this dispatch, 4 loads each.
  steps: u32,
  // Loop steps of this row before this dispatch.
  first_step: u32,
  threads: u32,
  // Words between neighbouring threads.
  stride: u32,
  seed: u32,
}

// Words of the tile, a power of two of at least a workgroup: zero-initialisation unrolls on software adapters.
override tile_words: u32 = 512u;

@group(0) @binding(0) var<uniform> walk: Shared;
// One sum a thread, carried from dispatch to dispatch.
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;

var<workgroup> tile: array<u32, tile_words>;

@compute @workgroup_size(workgroup_size)
fn workgroup_walk(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) workgroups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  for (var word = local; word < tile_words; word += workgroup_size) {
    tile[word] = word * 2654435769u + walk.seed;
  }
  workgroupBarrier();
  let thread = linear_index(workgroup, workgroups, local);
  if (thread >= walk.threads) {
    return;
  }
  let mask = tile_words - 1u;
  var index = local * walk.stride + walk.first_step * 4u;
  var sum = 0u;
  for (var step = 0u; step < walk.steps; step++) {
    sum += tile[index & mask];
    sum += tile[(index + 1u) & mask];
    sum += tile[(index + 2u) & mask];
    sum += tile[(index + 3u) & mask];
    index += 4u;
  }
  sums[thread] += sum;
}
