import { describe, expect, it } from 'vitest';
import { readSnapshot } from '../../snapshot/read-snapshot.js';
import { EXPANDABLE_FAILURE, expandableFailure } from '../../snapshot/testing/expandable-failure.js';
import { recordedRun } from '../../snapshot/testing/recorded-run.js';
import { explainText } from '../texts/explain-text.js';
import { showSize } from '../texts/printed-size.js';
import { explainFiles, type NamedFile } from './explain-files.js';

const oomOf = (device: number): string =>
  `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB. GPU ${device} has a total capacity of 79.25 GiB of which 421.75 MiB is free. ` +
  'Of the allocated memory 70.11 GiB is allocated by PyTorch, and 6.55 GiB is reserved by PyTorch but unallocated.';

const summaryOf = (device: number): string =>
  [
    '|===========================================================================|',
    `|                  PyTorch CUDA memory summary, device ID ${device}                 |`,
    '|            CUDA OOMs: 1            |        cudaMalloc retries: 1         |',
    '| Allocated memory      |  71792 MiB |  71800 MiB |    100 GiB |  30000 MiB |',
    '| Active memory         |  71792 MiB |  71800 MiB |    100 GiB |  30000 MiB |',
    '| GPU reserved memory   |  78500 MiB |  78500 MiB |  78500 MiB |      0 B   |',
    '| Non-releasable memory |   6700 MiB |   6800 MiB |     90 GiB |  80000 MiB |',
  ].join('\n');

const text = (name: string, content: string): NamedFile => ({ name, read: { kind: 'text', text: content } });

describe('a message and its memory summary in two files', () => {
  it.each([[['oom.txt', 'summary.txt']], [['summary.txt', 'oom.txt']]])(
    'say in the order %j what they say pasted together',
    (order) => {
      const contents: Readonly<Record<string, string>> = { 'oom.txt': oomOf(0), 'summary.txt': summaryOf(0) };
      const explained = explainFiles(order.map((name) => text(name, contents[name] ?? '')));
      expect(explained).toHaveLength(1);
      expect(explained[0]).toEqual({
        name: 'oom.txt + summary.txt',
        snapshot: undefined,
        diagnosis: explainText(`${oomOf(0)}\n${summaryOf(0)}`),
      });
      expect(explained[0]?.diagnosis.why).toContain('The memory summary proves it');
    },
  );

  it('are told apart where they are of different moments', () => {
    const [explained] = explainFiles([text('a', oomOf(0).replace('70.11 GiB', '30.11 GiB')), text('b', summaryOf(0))]);
    expect(explained?.diagnosis.why).not.toContain('proves');
    expect(explained?.diagnosis.oddities.join('\n')).toContain('another moment');
  });

  it('go by the device where there are several', () => {
    const explained = explainFiles([
      text('a', oomOf(0)),
      text('b', oomOf(1)),
      text('c', summaryOf(1)),
      text('d', summaryOf(2)),
    ]);
    expect(explained.map(({ name }) => name)).toEqual(['a', 'b + c', 'd']);
    expect(explained[2]?.diagnosis.kind).toBe('memory-summary');
  });
});

/** The message that PyTorch prints about the failure of the file. */
const messageOf = (reserved: number = EXPANDABLE_FAILURE.reserved_bytes): string => {
  const { tried_bytes: tried, device_free_bytes: free, allocated_bytes: live } = EXPANDABLE_FAILURE;
  return (
    `CUDA out of memory. Tried to allocate ${showSize(tried)}. GPU 0 has a total capacity of 79.25 GiB of which ${showSize(free)} is free. ` +
    `Including non-PyTorch memory, this process has 79.15 GiB memory in use. ` +
    `Of the allocated memory ${showSize(live)} is allocated by PyTorch, and ${showSize(reserved - live)} is reserved by PyTorch but unallocated.`
  );
};

describe('a message beside a snapshot', () => {
  const snapshot: NamedFile = {
    name: 'dump.pickle',
    read: { kind: 'snapshot', snapshot: readSnapshot(expandableFailure(), 'x') },
  };

  it('agrees within the printed precision and adds what the snapshot does not know', () => {
    const [explained, message] = explainFiles([snapshot, text('oom.txt', messageOf())]);
    expect(message?.diagnosis.kind).toBe('oom-text');
    expect(explained?.diagnosis.facts['capacity_bytes']).toBe(Math.round(79.25 * 2 ** 30));
    const steps = explained?.diagnosis.steps.filter((step) => step.startsWith('cross-check')) ?? [];
    expect(steps).toHaveLength(4);
    expect(steps.slice(1).every((step) => step.endsWith('the same within the printed precision'))).toBe(true);
    expect(explained?.diagnosis.oddities).toEqual([]);
    expect(explained?.diagnosis.steps.join('\n')).toContain('2. request 4.94 GiB > capacity 79.25 GiB: no');
  });

  it('is told where its figures differ', () => {
    const [explained] = explainFiles([
      snapshot,
      text('oom.txt', messageOf(EXPANDABLE_FAILURE.reserved_bytes + 2 ** 30)),
    ]);
    expect(explained?.diagnosis.oddities).toEqual([
      expect.stringMatching(/^oom\.txt and the snapshot differ: reserved/),
    ]);
  });

  it('gives the verdict where the snapshot holds no failure, and says so', () => {
    const run = recordedRun({ capacity: 8 * 2 ** 30, steps: 300, seed: 1 });
    const [explained] = explainFiles([
      { name: 'x', read: { kind: 'snapshot', snapshot: run } },
      text('oom.txt', oomOf(0)),
    ]);
    expect(explained?.diagnosis.verdict).toBe('fragmentation');
    expect(explained?.diagnosis.why).toContain('from oom.txt');
    expect(explained?.diagnosis.steps.join('\n')).toContain('does not hold');
  });

  it('that is of another failure changes nothing', () => {
    const [explained] = explainFiles([snapshot, text('oom.txt', oomOf(0))]);
    expect(explained?.diagnosis.verdict).toBe('true-shortage');
    expect(explained?.diagnosis.facts['capacity_bytes']).toBeUndefined();
    expect(explained?.diagnosis.steps.join('\n')).toContain('does not hold');
  });
});
