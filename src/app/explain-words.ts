/** What the flags, units and columns mean, one or two sentences each: shown on hover and on focus. */
import { msg } from '@lit/localize';

export type ColumnName = 'median' | 'unit' | 'spread' | 'interval' | 'samples' | 'status';

/** Undefined for a flag that this page does not know: it is shown as it is written, without an explanation. */
export function flagExplanation(flag: string): string | undefined {
  return EXPLANATIONS[flag]?.();
}

const EXPLANATIONS: Readonly<Record<string, () => string>> = {
  'timer-limited': () =>
    msg(
      'The work was too short for the clock: fewer than 100 of its steps. The mean over many starts is shown, not the median.',
      { desc: 'explains a flag' },
    ),
  unstable: () =>
    msg('The samples differ by more than 10 % (standard deviation over mean). Close other programs and run again.', {
      desc: 'explains a flag',
    }),
  'instruction-bound': () =>
    msg(
      'Each element cost more instructions than memory time, so this is a speed of the processor and says nothing about the memory.',
      { desc: 'explains a flag' },
    ),
  derived: () =>
    msg('Computed from other figures, not timed by itself: registers cannot be seen from WGSL.', {
      desc: 'explains a flag',
    }),
  'few-samples': () =>
    msg('Under 10 samples: the range is shown in place of a 95 % interval.', { desc: 'explains a flag' }),
  'few-distinct': () =>
    msg('The samples take only a few different values: the clock\u2019s steps show through.', {
      desc: 'explains a flag',
    }),
  'zero-deviation': () =>
    msg('All samples are exactly equal, which a real measurement hardly ever is.', { desc: 'explains a flag' }),
  'zero-dominated': () =>
    msg('Most raw times were 0: the clock is too coarse for this row.', { desc: 'explains a flag' }),
  'slow-first-sample': () =>
    msg('The first sample took over 1.2 times the others: warm-up was not over.', { desc: 'explains a flag' }),
  outliers: () =>
    msg('Some samples lie over 1.5 interquartile ranges away from the others. They are kept and counted.', {
      desc: 'explains a flag',
    }),
  drift: () =>
    msg('The last quarter of the samples differs from the first by more than 5 %: something changed while it ran.', {
      desc: 'explains a flag',
    }),
  throttled: () =>
    msg('The reference kernel beside this row slowed by more than 5 %: the device lowered its clocks or was shared.', {
      desc: 'explains a flag',
    }),
  'above-faster-tier': () =>
    msg('Faster than the next faster tier, which cannot be: one of the two figures is not what it says.', {
      desc: 'explains a flag',
    }),
  'above-peak': () =>
    msg('Above what the card can reach by its data sheet, which cannot be: look at the samples.', {
      desc: 'explains a flag',
    }),
  spilled: () =>
    msg(
      'The values did not fit into registers, or the memory was moved to the host: the figure is not of the tier it names.',
      { desc: 'explains a flag' },
    ),
  software: () =>
    msg('Measured on an adapter that runs on the processor. It says nothing about a GPU.', { desc: 'explains a flag' }),
  'clock-fell-back': () =>
    msg('The GPU clock gave no usable stamps here, so this row was timed by the wall clock.', {
      desc: 'explains a flag',
    }),
  naive: () =>
    msg('One timing of the whole way there and back, shown for what it is: it overstates the cost of the work.', {
      desc: 'explains a flag',
    }),
};

export function columnExplanation(column: ColumnName): string {
  switch (column) {
    case 'median':
      return msg('The median of the samples; the mean where a row is marked timer-limited.', {
        desc: 'explains a column',
      });
    case 'unit':
      return msg(
        'GB/s is decimal: 1,000,000,000 bytes a second; a copy counts bytes read plus bytes written. ns is a billionth of a second. Memory is in KiB, MiB and GiB, powers of 1,024.',
        { desc: 'explains a column' },
      );
    case 'spread':
      return msg('From the smallest sample to the largest: the box is the 95 % interval, the mark is the figure.', {
        desc: 'explains a column',
      });
    case 'interval':
      return msg('Half the width of the 95 % interval over the figure: the smaller, the surer.', {
        desc: 'explains a column',
      });
    case 'samples':
      return msg('How many samples were taken.', { desc: 'explains a column' });
    case 'status':
      return msg(
        'Verified: every element of the result was compared with a reference and was right. One wrong element withholds the number.',
        { desc: 'explains a column' },
      );
  }
}

/** What a unit is; undefined for one that needs no words. */
export function unitExplanation(unit: string): string | undefined {
  switch (unit) {
    case 'GB/s':
      return msg('Decimal gigabytes a second: 1,000,000,000 bytes. A copy counts bytes read plus bytes written.', {
        desc: 'explains a unit',
      });
    case 'ns':
      return msg('Nanoseconds, a billionth of a second.', { desc: 'explains a unit' });
    default:
      return undefined;
  }
}
