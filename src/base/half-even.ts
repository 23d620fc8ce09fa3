/**
 * `decimals` decimals as C's printf and Python's format write them: an exact tie goes to the even digit, where `toFixed`
 * goes away from zero. Everything that is no exact tie both round alike.
 */
export function fixedHalfEven(value: number, decimals: number): string {
  // A tie is an odd multiple of 1 / 2^(decimals + 1): only such a number has the decimal digit 5 and nothing after it.
  const isTie = Math.abs((value * 2 ** (decimals + 1)) % 2) === 1;
  if (!isTie) return value.toFixed(decimals);
  const scale = 10 ** decimals;
  const below = Math.floor(Math.abs(value) * scale);
  const even = below + (below % 2);
  return (Math.sign(value) * (even / scale)).toFixed(decimals);
}
