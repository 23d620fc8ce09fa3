// Pointer chase: one thread follows the cycle that ring.wgsl laid, so that each load waits for the one before. The sum of
// all lines met makes every load count.
struct Chase {
  // Loop steps of this dispatch, 8 loads each.
  steps: u32,
}

@group(0) @binding(0) var<uniform> chase: Chase;
// 16 words a line; the first is the number of the next line.
@group(0) @binding(1) var<storage, read> ring: array<u32>;
// Where the chase stands, and the sum of the lines it met: carried from dispatch to dispatch.
@group(0) @binding(2) var<storage, read_write> state: array<u32, 2>;

@compute @workgroup_size(1)
fn pointer_chase() {
  var line = state[0];
  var sum = state[1];
  for (var step = 0u; step < chase.steps; step++) {
    line = ring[line * 16u];
    sum += line;
    line = ring[line * 16u];
    sum += line;
    line = ring[line * 16u];
    sum += line;
    line = ring[line * 16u];
    sum += line;
    line = ring[line * 16u];
    sum += line;
    line = ring[line * 16u];
    sum += line;
    line = ring[line * 16u];
    sum += line;
    line = ring[line * 16u];
    sum += line;
  }
  state[0] = line;
  state[1] = sum;
}
