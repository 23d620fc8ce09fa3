// @ts-check
/**
 * Prints the bytes that our reader takes at its peak beyond the file (Linux). It warms up on a small file first, so that
 * the compiler's memory does not count.
 *
 *     node own-memory.mjs READER FILE SMALL_FILE
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';

const WARM_READS = 20;
const [reader = '', file = '', small = ''] = process.argv.slice(2);
const { readSnapshot } = await import(reader);
const peak = () => 1024 * Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
const warm = new Uint8Array(readFileSync(small));
for (let i = 0; i < WARM_READS; i++) readSnapshot(warm, small);
const data = new Uint8Array(readFileSync(file));
const before = peak();
const kept = readSnapshot(data, file);
process.stdout.write(`${peak() - before}\n`);
if (kept.segments === undefined) throw new Error('nothing was read');
