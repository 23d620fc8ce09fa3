// The element of a stream: vec4<f32>, 16 bytes in one access. Words are counted in 32 bits.
alias Element = vec4<f32>;

// The bits of an element as one number, so that a read has a result that depends on every bit.
fn element_bits(element: Element) -> u32 {
  let bits = bitcast<vec4<u32>>(element);
  return bits.x + bits.y + bits.z + bits.w;
}

// What the write kernel stores at an element: 24-bit integers, exact in f32, different in every word.
fn written_element(index: u32, seed: u32) -> Element {
  let word = index * 4u;
  return vec4<f32>(
    written_word(word, seed),
    written_word(word + 1u, seed),
    written_word(word + 2u, seed),
    written_word(word + 3u, seed),
  );
}
