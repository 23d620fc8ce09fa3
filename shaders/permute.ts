/** The bijection of lib/permute.wgsl, computed on its own in TypeScript. `bits` is at most 31. */
export function permuted(place: number, bits: number, salt: number): number {
  // No power of doubles: it would take longer than the rest.
  const mask = (1 << bits) - 1;
  const half = (bits + 1) >>> 1;
  let x = (Math.imul(place, 0x9e3779b9) + salt) & mask;
  x ^= x >>> half;
  x = Math.imul(x, 0x85ebca6b) & mask;
  x ^= x >>> half;
  x = Math.imul(x, 0xc2b2ae35) & mask;
  return (x ^ (x >>> half)) >>> 0;
}

/** Where a pointer chase over 2^bits lines stands after so many loads, and the sum (modulo 2^32) of the lines it met. */
export function chased(bits: number, salt: number, loads: number): { line: number; sum: number } {
  const lines = 2 ** bits;
  const rest = loads % lines;
  // A whole cycle meets every line once.
  const cycles = BigInt(Math.floor(loads / lines)) * ((BigInt(lines) * BigInt(lines - 1)) / 2n);
  let sum = Number(cycles & 0xffffffffn) | 0;
  for (let i = 1; i <= rest; i++) sum = (sum + permuted(i, bits, salt)) | 0;
  return { line: permuted(rest, bits, salt), sum: sum >>> 0 };
}
