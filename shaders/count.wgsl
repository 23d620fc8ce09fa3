// Adds one: the least that a dispatch can do and still be counted.
// The number of dispatches so far.
@group(0) @binding(0) var<storage, read_write> counter: array<u32, 1>;

@compute @workgroup_size(1)
fn count_dispatch() {
  counter[0] += 1u;
}
