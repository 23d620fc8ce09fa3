/** A hash that can be read while it grows. The caller gives one: the model has no cryptography of its own. */
export interface GrowingHash {
  update(text: string): void;
  /** Hexadecimal digest of everything so far. */
  digest(): string;
}
export type NewHash = () => GrowingHash;
