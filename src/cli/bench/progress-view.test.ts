import { describe, expect, it } from 'vitest';
import { sampleRow } from '../../model/report/testing/report-sample.js';
import { createProgressView, progressBar } from './progress-view.js';

function recorder(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, columns: 60, written, write: (text: string) => written.push(text) };
}
const progress = { done: 3, total: 12, id: 'tiers/global/triad/vec4/64MiB', remainingNs: 42e9 };

describe('progress', () => {
  it('is a bar that fits the terminal', () => {
    expect(progressBar(progress, 120)).toBe(
      '[######..................] 3/12, 42.0 s left, tiers/global/triad/vec4/64MiB',
    );
    const round = { number: 2, of: 3, done: 1, rows: 4 };
    expect(progressBar({ ...progress, round }, 120)).toContain(' 1/4 round 2/3, 42.0 s left, ');
    expect(progressBar({ ...progress, round: { ...round, number: 1, of: 1 } }, 120)).toContain(' 1/4, 42.0 s left, ');
    expect(progressBar(progress, 40)).toHaveLength(39);
    expect(progressBar({ done: 0, total: 0, id: '' }, 80)).toContain('0/0');
  });

  it('stays on one line of a terminal and leaves it empty', () => {
    const stream = recorder(true);
    const view = createProgressView(stream, false);
    view.progressed(progress);
    view.rowFinished(sampleRow);
    view.end();
    expect(stream.written.join('')).not.toContain('\n');
    expect(stream.written.at(-1)).toBe('\r\x1b[K');
  });

  it('is plain lines elsewhere, without control characters', () => {
    const stream = recorder(false);
    const view = createProgressView(stream, false);
    view.progressed(progress);
    view.rowFinished(sampleRow);
    view.end();
    expect(stream.written).toEqual(['vramlab: 4/12, 42.0 s left, tiers/global/triad/vec4/64MiB 12.5 GB/s\n']);
  });

  it('says nothing when quiet', () => {
    const stream = recorder(false);
    const view = createProgressView(stream, true);
    view.progressed(progress);
    view.rowFinished(sampleRow);
    view.end();
    expect(stream.written).toEqual([]);
  });
});
