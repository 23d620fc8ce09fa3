import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CachingAllocator } from '../allocator/caching/caching-allocator.js';
import { Replay } from '../trace/replay.js';
import { parseTrace } from '../trace/trace-reader.js';
import { OPERATION } from '../trace/trace.js';
import { writeSnapshot } from './write-snapshot.js';

const hasPython = spawnSync('python3', ['-c', 'import pickle']).status === 0;

/** Loads both pickles with CPython; says which members are equal, and compares the history as far as the golden goes. */
const COMPARE = `
import pickle, sys
ours, golden = (pickle.load(open(path, 'rb')) for path in sys.argv[1:])
n = len(golden['device_traces'][0])
same = [list(ours) == list(golden)] + [ours[key] == golden[key] for key in golden if key != 'device_traces']
print(same + [ours['device_traces'][0][:n] == golden['device_traces'][0], type(ours['segments'][0]['segment_pool_id']).__name__])
`;

describe.skipIf(!hasPython)('a snapshot pickle (skipped: no python3 here)', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'vramlab-pickle-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  // Golden pickles have the first 1,500 history entries, and the segments of the first snapshot where none is left.
  it.each(['graphpool__default', 'train_cat__exp'])('of %s loads in CPython as the golden one does', (name) => {
    const { trace, header } = parseTrace(gunzipSync(readFileSync(`test-data/pytorch/${name}.json.gz`)), name);
    const { capacity = 0, conf = '' } = header;
    const allocator = new CachingAllocator({ capacity, conf, history: true });
    const replay = new Replay(allocator);
    let heap = allocator.heap();
    let isTaken = false;
    for (let i = 0; i < trace.length; i++) {
      replay.step(trace, i);
      if (trace.kind[i] !== OPERATION.snapshot || isTaken) continue;
      heap = allocator.heap();
      isTaken = true;
    }
    const { settings, history } = allocator;
    const bytes = writeSnapshot({
      heap,
      history,
      settings: { ...settings, conf, maxSplitSize: settings.reportedMaxSplitSize },
    });
    const ours = join(folder, `${name}.pickle`);
    writeFileSync(ours, bytes);
    const golden = `test-data/pytorch/pickles/${name}.pickle`;
    const verdict = execFileSync('python3', ['-c', COMPARE, ours, golden], { encoding: 'utf8' });
    expect(verdict.trim()).toBe("[True, True, True, True, True, 'tuple']");
  });
});
