// The element of a stream: one f32. Words are counted in 32 bits.
alias Element = f32;

// The bits of an element as one number, so that a read has a result that depends on every bit.
fn element_bits(element: Element) -> u32 {
  return bitcast<u32>(element);
}

// What the write kernel stores at an element: a 24-bit integer, exact in f32, different in every word.
fn written_element(index: u32, seed: u32) -> Element {
  return written_word(index, seed);
}
