// Fills an array with incompressible values whose sums and products with 3 are exact in f32, so that results can be
// compared bit by bit: a 23-bit signed integer times 2^k, k in [-16, 15]. k depends on the place only, so that arrays
// of two seeds can be added without rounding. Uses lib/grid.wgsl.
struct Fill {
  // The first word (32 bits) to fill.
  first: u32,
  // The word after the last to fill.
  end: u32,
  seed: u32,
}

@group(0) @binding(0) var<uniform> fill_range: Fill;
// The array to fill.
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;

// lowbias32 (Chris Wellons): a bijection of 32 bits without visible bias.
fn mix(value: u32) -> u32 {
  var x = value;
  x = (x ^ (x >> 16u)) * 0x7feb352du;
  x = (x ^ (x >> 15u)) * 0x846ca68bu;
  return x ^ (x >> 16u);
}

@compute @workgroup_size(workgroup_size)
fn fill(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) workgroups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let word = fill_range.first + linear_index(workgroup, workgroups, local);
  if (word >= fill_range.end || word >= arrayLength(&dst)) {
    return;
  }
  let mantissa = i32(mix(word ^ fill_range.seed) >> 9u) - 4194304;
  let exponent = (word * 2654435769u) >> 27u;
  dst[word] = f32(mantissa) * bitcast<f32>((exponent + 111u) << 23u);
}
