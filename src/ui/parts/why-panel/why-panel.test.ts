import { expect, it, onTestFinished } from 'vitest';
import { userEvent } from 'vitest/browser';
import { MiB } from '../../../base/units.js';
import { CATEGORY } from '../../../model/trace/trace.js';
import { collect, mount, textOf } from '../../testing/mount.js';
import { WhyPanel } from './why-panel.js';
import { type WhyState } from './why-state.js';

const tensor = { id: 7, operation: 40, category: 4, label: 'kept, step 3' };
const failure: Extract<WhyState, { readonly kind: 'failure' }> = {
  kind: 'failure',
  side: 'A',
  place: 'step 16',
  operation: 2385,
  capacity: MiB(992),
  tensorsAlone: MiB(800),
  why: {
    head: { kind: 'in-pieces', request: MiB(102), free: MiB(200), pieces: 22 },
    bars: {
      needed: MiB(102),
      largestHole: MiB(84),
      holeShort: MiB(18),
      notReserved: MiB(88),
      notReservedShort: MiB(14),
    },
    asked: undefined,
    flush: undefined,
    unused: undefined,
    frees: {
      frees: 1,
      limit: 3,
      sets: [
        {
          tensors: [tensor],
          bytes: MiB(6),
          how: { kind: 'gives-back', segments: [MiB(18)], left: MiB(88) },
          room: MiB(106),
          need: MiB(102),
        },
      ],
    },
  },
  fits: { rows: [], done: 2, total: 7, phase: 'running' },
};
const fit = { failedAt: undefined, peakAllocated: 0, retries: 0, deviceCalls: 0 };

it('tells why a side stopped, leaves out what does not apply, and shows how far trying is', async () => {
  const panel = await mount(new WhyPanel(), { state: failure });
  expect(textOf(panel)).toContain('Why A stopped step 16, operation 2,385');
  expect(textOf(panel)).toContain('102 MiB were needed in one piece. 200 MiB are free, but in 22 pieces.');
  expect(textOf(panel)).toContain('gives back 18 MiB: 88 + 18 = 106 \u2265 102');
  expect(textOf(panel)).toContain('Trying changes: 2 of 7');
  expect(textOf(panel)).not.toContain('still live');
  expect(panel.renderRoot.querySelectorAll('.request')).toHaveLength(3);
});

it('draws the bars to one scale, and the hatch as it is everywhere', async () => {
  const panel = await mount(new WhyPanel(), { state: failure });
  const all = [...panel.renderRoot.querySelectorAll<SVGRectElement>('rect:not([fill])')];
  const [needed, hole, left] = all.map((each) => each.getBoundingClientRect().width);
  expect((hole ?? 0) / (needed ?? 1)).toBeCloseTo(84 / 102, 1);
  expect((left ?? 0) / (needed ?? 1)).toBeCloseTo(88 / 102, 1);
  const { a, d } = panel.renderRoot.querySelector<SVGRectElement>('rect[fill]')?.getScreenCTM() ?? { a: 0, d: 1 };
  expect(a).toBe(d);
});

it('names what fits with its room to spare, and says when nothing does', async () => {
  const rows = [
    { ...fit, change: 'a', words: 'Once', outcome: 'completed', peakReserved: MiB(912) },
    { ...fit, change: 'b', words: 'Never', outcome: 'out-of-memory', failedAt: 12, peakReserved: 0 },
  ] as const;
  const panel = await mount(new WhyPanel(), {
    state: { ...failure, fits: { rows, done: 7, total: 7, phase: 'done' } },
  });
  expect(textOf(panel)).toContain('Once peaks at 912 MiB, 80 MiB to spare.');
  expect(textOf(panel)).toContain('Never stops at operation 12.');
  panel.state = { ...failure, fits: { rows: rows.slice(1), done: 7, total: 7, phase: 'done' } };
  await panel.updateComplete;
  expect(textOf(panel)).toContain('None of the changes tried fits. The tensors alone need 800 MiB.');
});

it('asks for the block of a number to be shown', async () => {
  const panel = await mount(new WhyPanel(), { state: failure });
  const chosen = collect(panel, 'app-why-block-chosen');
  panel.renderRoot.querySelector<HTMLButtonElement>('.mark')?.click();
  expect(chosen.map(({ rows, by }) => [rows, by])).toEqual([[[40], 'operation']]);
});

it('names the operation alone where the program has no steps', async () => {
  const panel = await mount(new WhyPanel(), { state: { ...failure, place: undefined } });
  expect(textOf(panel)).toContain('Why A stopped operation 2,385 102 MiB');
});

it('tells a moment, and that both fit', async () => {
  const moment = {
    free: MiB(30),
    holes: 2,
    largestHole: MiB(20),
    notReserved: MiB(10),
    pinned: 1,
    kept: MiB(8),
    pins: [],
  };
  const pin = { block: 3, category: 5, size: MiB(2), blocks: 1, segment: MiB(10), segmentFree: MiB(8), name: 'kept' };
  const panel = await mount(new WhyPanel(), {
    state: { kind: 'moment', side: 'B', place: 'step 2', moment, pins: [pin], bothFit: [MiB(912), MiB(900)] },
  });
  expect(textOf(panel)).toContain('B at this moment step 2');
  expect(textOf(panel)).toContain('Both fit. A peaks at 912 MiB, B at 900 MiB.');
  expect(textOf(panel)).toContain('holds a segment of 10 MiB, 8 MiB free');
});

it('gives each number the colour of its own block, and keeps it under the pointer', async () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(':root { --category-activation: rgb(1, 2, 3); --category-temporary: rgb(4, 5, 6); }');
  document.adoptedStyleSheets.push(sheet);
  onTestFinished(() => {
    document.adoptedStyleSheets.splice(document.adoptedStyleSheets.indexOf(sheet), 1);
  });
  const sets = [CATEGORY.activation, CATEGORY.temporary].map((category) => ({
    tensors: [{ ...tensor, category }],
    bytes: MiB(6),
    how: { kind: 'joins', holes: [] } as const,
    room: MiB(106),
    need: MiB(102),
  }));
  const why = { ...failure.why, frees: { frees: 1, limit: 3, sets } };
  const panel = await mount(new WhyPanel(), { state: { ...failure, why } });
  const marks = [...panel.renderRoot.querySelectorAll('.mark')];
  const grounds = (): string[] => marks.map((mark) => getComputedStyle(mark).backgroundColor);
  expect(grounds()).toEqual(['rgb(1, 2, 3)', 'rgb(4, 5, 6)']);
  const [first] = marks;
  if (first === undefined) throw new Error('no mark');
  await userEvent.hover(first);
  expect(first.matches(':hover')).toBe(true);
  expect(grounds()).toEqual(['rgb(1, 2, 3)', 'rgb(4, 5, 6)']);
});
