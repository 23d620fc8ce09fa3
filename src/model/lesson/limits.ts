/** What a lesson may be, known before it is read. */

/** Bytes of the largest lesson file. */
export const LARGEST_FILE = 2 ** 20;
