/** Files that are none of ours. */
import { gzipSync } from 'node:zlib';

/** Head of a PNG picture. */
export const PNG = Uint8Array.from([
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
]);
/** Unpacks to bytes that mean nothing. */
export const GZIPPED_ZEROS = gzipSync(new Uint8Array(1000));
