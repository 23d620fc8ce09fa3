import { describe, expect, it } from 'vitest';
import { type Row } from '../schema.js';
import { bandwidthLines } from './bandwidth-lines.js';
import { measured } from '../testing/report-sample.js';

const MIB = 2 ** 20;
const line = (stem: string, values: readonly number[], flags: string[] = []): Row[] =>
  values.map((value, i) => measured(`${stem}/${2 ** i}MiB`, value, { workingSet: 2 ** i * MIB, flags }));

describe('bandwidthLines', () => {
  it('takes the kernel that has most sizes, and the copy beside it', () => {
    const rows = [
      ...line('tiers/global/read/vec4', [10]),
      ...line('tiers/global/triad/vec4', [10, 11]),
      ...line('tiers/copy-buffer', [40, 30, 20]),
    ];
    const { kernelStem, kernel, copy } = bandwidthLines(rows);
    expect(kernelStem).toBe('tiers/global/triad/vec4');
    expect(kernel.map((point) => point.value)).toEqual([10, 11]);
    expect(copy.map((point) => point.value)).toEqual([40, 30, 20]);
  });

  it('prefers a sweep, however short', () => {
    const rows = [...line('tiers/global/triad/vec4', [1, 2, 3]), ...line('tiers/sweep', [5])];
    expect(bandwidthLines(rows).kernelStem).toBe('tiers/sweep');
  });

  it('is sorted by working set whatever order the rows came in', () => {
    const rows = line('tiers/sweep', [4, 3, 2, 1]).reverse();
    expect(bandwidthLines(rows).kernel.map((point) => point.workingSet / MIB)).toEqual([1, 2, 4, 8]);
  });

  it('leaves out rows without a figure, a size or the unit', () => {
    const rows: Row[] = [
      { id: 'tiers/sweep/1MiB', suite: 'tiers', status: 'failed', unit: 'GB/s', reason: 'wrong', workingSet: MIB },
      measured('tiers/sweep/2MiB', 5),
      measured('tiers/latency/4MiB', 90, { unit: 'ns', workingSet: 4 * MIB }),
    ];
    expect(bandwidthLines(rows).kernel).toEqual([]);
  });

  it('shows the 95 % interval from 10 samples on, the range below', () => {
    const at = (n: number) => bandwidthLines([measured('tiers/sweep/1MiB', 100, { workingSet: MIB }, n)]).kernel[0];
    expect(at(10)).toMatchObject({ basis: 'interval', low: 99, high: 101 });
    expect(at(9)).toMatchObject({ basis: 'range', low: 90 });
  });

  it('calls a flat kernel line beside a stepped copy line instruction bound', () => {
    const flat = line('tiers/sweep', [1.4, 1.3, 1.35, 1.2]);
    const stepped = line('tiers/copy-buffer', [80, 60, 30, 18]);
    expect(bandwidthLines([...flat, ...stepped]).instructionBound).toBe(true);
    expect(bandwidthLines(flat).instructionBound).toBe(false);
    expect(bandwidthLines([...line('tiers/sweep', [80, 60, 30, 18]), ...stepped]).instructionBound).toBe(false);
    expect(bandwidthLines([...flat, ...line('tiers/copy-buffer', [20, 19, 18, 17])]).instructionBound).toBe(false);
  });

  it('believes the engine when it says so itself', () => {
    expect(bandwidthLines(line('tiers/sweep', [1, 9], ['instruction-bound'])).instructionBound).toBe(true);
  });
});
