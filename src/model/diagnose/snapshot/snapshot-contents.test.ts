import { describe, expect, it } from 'vitest';
import { trainingSample } from '../sample/training-sample.js';
import { readSnapshot } from '../../snapshot/read-snapshot.js';
import { snapshotContents } from './snapshot-contents.js';

describe('the contents of a snapshot', () => {
  const snapshot = readSnapshot(trainingSample().snapshot, 'sample.pickle');
  const contents = snapshotContents(snapshot);
  const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((a, b) => a + b, 0);

  it('counts every block and every entry once', () => {
    expect(sum(contents.block_states)).toBe(snapshot.blocks.count);
    expect(contents.trace_actions.map(sum)).toEqual(snapshot.traces.map(({ count }) => count));
    expect(contents.trace_actions[0]?.['oom']).toBeGreaterThan(0);
  });

  it('names pools and streams of the segments once', () => {
    const { segments } = snapshot;
    const doubled = {
      ...snapshot,
      segments: [...segments, ...segments.map((each) => ({ ...each, stream: 7, pool: [0, 2] as const }))],
    };
    expect(snapshotContents(doubled)).toMatchObject({
      streams: [0, 7],
      pools: [
        [0, 0],
        [0, 2],
      ],
    });
    expect(contents).toMatchObject({ form: 'snapshot-dict', expandable: false, streams: [0], pools: [[0, 0]] });
  });
});
