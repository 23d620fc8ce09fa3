// A bijection of the places 0 .. 2^bits - 1 that looks random: odd multiplications modulo 2^bits and right shifts under
// exclusive or can all be undone. `bits` is at most 31.
fn permuted(place: u32, bits: u32, salt: u32) -> u32 {
  let mask = (1u << bits) - 1u;
  let half = (bits + 1u) / 2u;
  var x = (place * 2654435769u + salt) & mask;
  x ^= x >> half;
  x = (x * 2246822507u) & mask;
  x ^= x >> half;
  x = (x * 3266489909u) & mask;
  return x ^ (x >> half);
}
