/** Files that are no trace, as people drop them: one line of words, and nothing that looks like a bug. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createLabEngine } from '../../engine/lab-engine.js';
import { readTraceFile } from './trace-file.js';

const engine = createLabEngine();
const lab = { openTrace: (source: Blob, name: string) => engine.openTrace(source, name) };
const read = (name: string, bytes: Uint8Array | string) =>
  readTraceFile(lab, new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name));
const TRACE = '{"schema":"vramlab-trace","version":1,"name":"x","ops":[["a",1,1048576,0],["f",1]],"meta":{}}';

describe('a file that is given to the Lab', () => {
  it.each([
    ['a trace', 'x.trace.json', TRACE],
    ['a packed trace', 'x.trace.json.gz', gzipSync(TRACE)],
  ])('is taken: %s', async (_, name, bytes) => {
    const answer = await read(name, bytes);
    expect(answer).toMatchObject({ kind: 'trace', request: { name, a: { allocator: 'caching' } } });
  });

  it.each([
    ['zeros', 'zeros.bin', new Uint8Array(5000), 'the bytes 00 00 00 00 00 00 00 00'],
    ['packed zeros', 'zeros.gz', gzipSync(new Uint8Array(100_000)), 'the bytes 00 00 00 00 00 00 00 00'],
    ['packed words', 'words.gz', gzipSync('hello world'), 'it starts with "hello wo"'],
    ['a picture', 'map.png', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), 'the bytes 89 50 4e 47'],
    ['a snapshot', 'oom.pickle', Uint8Array.from([0x80, 4, 0x95, 1, 2, 3, 4, 5]), 'the bytes 80 04 95'],
    ['nothing', 'empty.json', '', 'the file is empty'],
    ['space', 'space.json', ' \n ', 'it is all space'],
  ])('is refused in words that say where others are opened: %s', async (_, name, bytes, words) => {
    const answer = await read(name, bytes);
    expect(answer).toMatchObject({ kind: 'refused' });
    const line = answer.kind === 'refused' ? answer.words() : '';
    expect(line).toContain(name);
    expect(line).toContain(words);
    expect(line).toContain('opened on the Diagnose page');
    expect(line).not.toContain('\n');
  });

  it.each([
    ['no operations', '{"schema":"vramlab-trace","version":1}', 'there are no "ops"'],
    ['packed and cut inside', gzipSync(TRACE.slice(0, 60)), 'the file ends in the middle, at byte 60'],
  ])('is refused with its fault where it begins as a trace: %s', async (_, bytes, words) => {
    const answer = await read('x.json', bytes);
    const line = answer.kind === 'refused' ? answer.words() : '';
    expect(line).toContain(words);
    expect(line).not.toContain('Diagnose');
  });
});
