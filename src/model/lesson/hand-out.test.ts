import { expect, test } from 'vitest';
import { loadLesson } from './built-in.js';
import { fillText } from './fill-text.js';
import { type HandOut, handOutHtml } from './hand-out.js';
import { replayCommands } from './run-again.js';
import { runStep } from './run-step.js';
import { type Run } from './schema.js';
import { loadWords } from './words.js';

async function handOut(change: Partial<HandOut> = {}): Promise<HandOut> {
  const lesson = await loadLesson('holes');
  const steps = lesson.steps.map((step) => ({ step, result: runStep(step), pick: 'A' as const, device: ['all well'] }));
  const { claims } = await loadWords();
  return {
    lesson,
    source: { name: 'holes' },
    language: 'en',
    steps,
    claims,
    madeAt: 'today',
    adapter: 'some adapter',
    ...change,
  };
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&apos;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

test.each(['en', 'zh'] as const)(
  'every claim stands beside its numbers and the commands that run it again (%s)',
  async (language) => {
    const given = await handOut({ language });
    const page = handOutHtml(given);
    const text = unescaped(page);
    for (const { step, result } of given.steps) {
      expect(text).toContain(fillText(step.reveal[language] ?? '', result));
      expect(text).toContain(`vramlab lesson holes --step ${step.id.slice('holes/'.length)}`);
      for (const run of step.runs) {
        for (const command of replayCommands(given.source, step, run)) expect(text).toContain(command);
      }
      for (const { name, shown } of result.numbers.values()) {
        expect(text).toContain(`<th scope="row">${name}</th>`);
        expect(text).toContain(shown);
      }
    }
    expect(text).toContain('all well');
    // A line each, so that they can be copied.
    expect(text).toMatch(/\nvramlab replay \S+ --capacity 448MiB[\n<]/);
  },
);

test('the page needs nothing else, and texts cannot become markup', async () => {
  const given = await handOut({ adapter: '<script>alert(1)</script>', madeAt: '"><img src=x>' });
  const page = handOutHtml(given);
  expect(page).not.toMatch(/<script|<link|<img|https?:\/\//);
  expect(page).toContain('&lt;script');
});

test('commands name allocator, settings, budget and fraction as the run has them', async () => {
  const { steps } = await loadLesson('zero');
  const [step] = steps;
  if (step === undefined) throw new Error('no step');
  const base = { id: 'a', budget: '64MiB', realBuffers: true } as const;
  const of = (run: Run) => replayCommands({ name: 'my file.json' }, step, run);
  expect(
    of({ ...base, allocator: 'bfc', options: { allowGrowth: true, garbageCollection: false }, ops: ['e'] }),
  ).toEqual([
    "vramlab lesson 'my file.json' --step stages --run a --out zero-stages-a.trace.json",
    'vramlab replay zero-stages-a.trace.json --allocator bfc --conf allow_growth=true,garbage_collection=false --capacity 64MiB',
  ]);
  expect(
    of({
      ...base,
      allocator: 'caching',
      conf: 'max_split_size_mb:32',
      fraction: 0.5,
      generator: { id: 'train', set: { batch: 2 } },
    }),
  ).toEqual([
    'vramlab trace train --set batch=2 --out zero-stages-a.trace.json',
    'vramlab replay zero-stages-a.trace.json --conf max_split_size_mb:32 --capacity 64MiB --fraction 0.5',
  ]);
});
