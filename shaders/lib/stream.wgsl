// What every stream kernel shares. One instruction stream serves all sizes: the thread count and the unroll of 4 are
// fixed, an index is taken `& mask`, and only `mask`, `steps` and `first_step` change. The repetition is inside the
// kernel. `steps` of one dispatch go on where the last one ended, so that short dispatches cover a large array.
struct Stream {
  // Elements of an array - 1; the count is a power of two.
  mask: u32,
  // Loop steps of this dispatch, 4 elements a thread each.
  steps: u32,
  // Loop steps of this row before this dispatch.
  first_step: u32,
  // Threads that take part.
  threads: u32,
  // The scalar of scale and triad, unknown to the compiler.
  scalar: f32,
  // Salt of the write kernel's values.
  seed: u32,
}

const UNROLL = 4u;

// A cheap value for each word: Knuth's multiplicative hash, its upper 24 bits.
fn written_word(word: u32, seed: u32) -> f32 {
  return f32((word * 2654435769u + seed) >> 8u);
}
