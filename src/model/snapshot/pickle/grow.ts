/** Typed arrays that double. One function a kind: a helper shared by several kinds of array is far slower in V8. */
export function grownBytes(old: Uint8Array<ArrayBuffer>, needed: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(Math.max(needed, 2 * old.length));
  grown.set(old);
  return grown;
}

export function grownInts(old: Int32Array<ArrayBuffer>, needed: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(Math.max(needed, 2 * old.length));
  grown.set(old);
  return grown;
}

export function grownDoubles(old: Float64Array<ArrayBuffer>, needed: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(Math.max(needed, 2 * old.length));
  grown.set(old);
  return grown;
}
