/** The page of both sides: the words of the screen, the figures of the runs, nothing that asks a network. */
import { describe, expect, it } from 'vitest';
import { formatBytes } from '../../base/format.js';
import { whyOf } from '../../model/lab/why.js';
import { labFits } from '../../model/lab/lab-fits.js';
import { traceOfProgram } from '../../model/lab/lab-program.js';
import { labRun } from '../../model/lab/lab-run.js';
import { NO_WORDS } from '../handover.js';
import { HARDWARE_ADAPTER, SOFTWARE_ADAPTER } from '../testing/sample-run.js';
import { labHtml } from './lab-html.js';
import { type LabPlan, planLab } from './lab-plan.js';
import { defaultSettings, settingsFor } from './lab-settings.js';
import { type LabState } from './lab-state.js';
import { type RealFacts } from './real-state.js';
import { freeSetWords, headWords } from './why-words.js';

const BUDDY = { allocator: 'buddy', conf: '', change: '' };
const facts: RealFacts = {
  predicted: 'out-of-memory',
  outcome: 'out-of-memory',
  met: true,
  corruptWords: 3,
  checkedWords: 2_210_283_520,
  segmentsPredicted: 51,
  segmentsCreated: 51,
  refusalsPredicted: 5,
  refusalsMet: 5,
  scale: 1,
  scaling: '',
  budgetBytes: 2 ** 30,
  createBufferCalls: 10,
  createNs: 1e7,
  movedBytes: 1,
  agrees: true,
};

/** The Lab after both runs of these settings. */
function stateOf(settings = defaultSettings(), change: Partial<LabState> = {}): LabState {
  const plan: LabPlan = planLab(settings, undefined);
  if (plan.status !== 'usable') throw new Error('a plan');
  const side = (index: 0 | 1) => {
    const planned = plan.sides[index];
    return { kind: 'done', plan: planned, result: labRun(traceOfProgram(planned.program), planned.setup) } as const;
  };
  return {
    view: { settings, position: undefined, rows: 'packed', file: undefined },
    brought: undefined,
    plan,
    sides: [side(0), side(1)],
    fits: undefined,
    real: [{ kind: 'not-run' }, { kind: 'not-run' }],
    isRealRunning: false,
    trouble: NO_WORDS,
    ...change,
  };
}

const page = (state: LabState, picture?: string): string =>
  labHtml({ state, link: '#lab?v=1&x=<b>', createdAt: '2026-11-30T00:00:00Z', language: 'en', picture });

describe('the page of both sides', () => {
  it('says why in the words of the screen, with the figures of both runs', () => {
    const state = stateOf();
    const [a, b] = state.sides;
    if (a.kind !== 'done' || b.kind !== 'done' || a.result.failure === undefined) throw new Error('runs');
    const rows = [...labFits(traceOfProgram(a.plan.program), a.plan.setup)];
    const fits = { side: 0, rows, done: rows.length, total: rows.length, phase: 'done' } as const;
    const text = page({ ...state, fits }, 'data:image/png;base64,AAAA');
    const why = whyOf(a.result.failure);
    expect(text).toContain(headWords(why.head));
    for (const set of why.frees?.sets ?? []) expect(text).toContain(freeSetWords(set));
    for (const row of rows.filter(({ outcome }) => outcome === 'completed')) {
      expect(text).toContain(`${formatBytes(row.peakReserved)}, `);
    }
    expect(text).toContain('Out of memory, step 16');
    expect(text).toContain(`Completes, peak ${formatBytes(b.result.peakReserved)}`);
    expect(text).toContain('Tried to allocate');
    expect(text).toContain('<img src="data:image/png;base64,AAAA"');
    expect(text).not.toContain('Not every change was tried');
  });

  it('needs nothing else, and lets no text be markup', () => {
    const text = page(stateOf());
    expect(text).not.toMatch(/<script|<link|(?:src|href)="?https?:|@import|url\(/);
    expect(text).toContain("default-src 'none'");
    expect(text).toContain('x=&lt;b&gt;');
    expect(text).not.toContain('<b>&');
    expect(text).toContain('Not every change was tried');
  });

  it('marks what a software adapter did, and says what differs', () => {
    const done = { kind: 'done', facts, adapter: SOFTWARE_ADAPTER } as const;
    const text = page(stateOf(settingsFor('layer-bank', 'code'), { real: [done, { kind: 'none', words: 'stopped' }] }));
    expect(text).toContain('<b class="mark">Software</b>');
    expect(text).toContain('3 (differs)');
    expect(text).toContain('51 (agrees)');
    expect(text).toContain('<td>stopped</td>');
    const hardware = page(
      stateOf(settingsFor('layer-bank', 'code'), { real: [{ ...done, adapter: HARDWARE_ADAPTER }, done] }),
    );
    expect(hardware).toContain('<b class="mark">Hardware</b>');
  });

  it('tells of an allocator whose rule is not known without frees', () => {
    const settings = { ...defaultSettings(), pair: 'own' as const, budget: '600MiB', a: BUDDY, b: BUDDY };
    const text = page(stateOf(settings));
    expect(text).toContain('Why A stopped');
    expect(text).not.toContain('would have been enough');
  });
});
