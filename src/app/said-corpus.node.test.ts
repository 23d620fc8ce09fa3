/**
 * What the models say in a broad run of plans, files and mistakes is read back into Chinese, whole: no words of English are
 * left but names, options and what a person wrote.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AppError } from '../base/errors.js';
import { parseCount, parseSize } from '../base/sizes.js';
import { ALLOCATOR_NAMES } from '../model/allocator/names.js';
import { makeAllocator } from '../model/allocator/registry.js';
import { readCourse } from '../model/lesson/read-course.js';
import { changesFor } from '../model/plan/advice.js';
import { readConfig } from '../model/plan/architecture/hugging-face.js';
import { ARCHITECTURES, findArchitecture } from '../model/plan/architecture/presets.js';
import { storedArchitecture } from '../model/plan/architecture/stored.js';
import { modelOfArchitecture, modelOfCount } from '../model/plan/model.js';
import { makePlan } from '../model/plan/plan.js';
import { symbolsOf } from '../model/plan/plan-json.js';
import { replayPlan } from '../model/plan/replay-plan.js';
import { OPTIMIZERS, PRECISIONS, parseCapacity, planSettings, type PlanSettings } from '../model/plan/settings.js';
import { compareReports } from '../model/report/compare.js';
import { readReport } from '../model/report/read.js';
import { type Report } from '../model/report/schema.js';
import { measured, sampleReport } from '../model/report/testing/report-sample.js';
import { readSnapshot } from '../model/snapshot/read-snapshot.js';
import { concludeTiers } from '../model/tiers/conclude.js';
import { parseTrace } from '../model/trace/trace-reader.js';
import { WORKLOADS } from '../model/workload/catalogue.js';
import { readSentence } from './locales/zh-hans.js';

/**
 * What no language changes: options, lists of names, quotes, code, the words of the browser's own JSON parser, and names of
 * people, allocators and files.
 */
const NAMES = [
  /\(?Unexpected .* JSON\)?/g,
  /--[\w-]+(?: (?:all|inference|int8|lora|nf4|none|train))?/g,
  /"[^"]*"|`[^`]*`/g,
  /[\w-]+(?:, [\w-]+)+/g,
  /[\w.]*[_/:=()[\]{}][\w.]*/g,
];
const withoutNames = (text: string): string => NAMES.reduce((left, names) => left.replace(names, ''), text);
const ENGLISH = /[A-Za-z]{2,}[ ,]+[a-z]{2,}/;

/** Sentences that are not read, or keep words of English; each once. */
function unread(sentences: Iterable<string>): string[] {
  return [...new Set(sentences)].flatMap((sentence) => {
    if (!/[a-z]{2,} [a-z]{2,}/i.test(withoutNames(sentence))) return [];
    const reading = readSentence(sentence);
    if (reading === undefined) return [`not known: ${sentence}`];
    return ENGLISH.test(withoutNames(reading.text)) ? [`${sentence} -> ${reading.text}`] : [];
  });
}

const said = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
  throw new Error(`nothing was refused by ${String(work)}`);
};

const JOBS: readonly Partial<PlanSettings>[] = [
  {},
  { batch: 2, sequence: 128 },
  { batch: 2, sequence: 128, flash: true, recompute: 'full', optimizerStep: 'foreach', masterWeights: true },
  { batch: 2, sequence: 128, recompute: 'selective', zero: 2, dataParallel: 4, channels: 2, context: 5e8 },
  { batch: 4, sequence: 128, zero: 3, dataParallel: 8, accumulate: 2, offload: 'all' },
  { batch: 1, sequence: 128, dataParallel: 2, offload: 'none', masterWeights: true },
  { mode: 'lora', batch: 2, sequence: 128, masterWeights: true },
  { mode: 'lora', batch: 2, sequence: 128, weights: 'nf4' },
  { mode: 'inference', batch: 2, sequence: 128, weights: 'int8', outputTokens: 10 },
  ...OPTIMIZERS.map((optimizer) => ({ optimizer })),
  ...PRECISIONS.map((precision) => ({ precision, batch: 1, sequence: 64 })),
];

describe('what plans say', () => {
  function* sentences(): Generator<string> {
    const models = [...ARCHITECTURES.map((each) => modelOfArchitecture(each)), modelOfCount(7e9)];
    for (const model of models) {
      for (const job of JOBS) {
        for (const parallel of [{}, { tensorParallel: 2, sequenceParallel: true }, { pipelineParallel: 2 }]) {
          const settings = planSettings({ ...job, ...parallel });
          const plan = planOrSkip(() => makePlan(model, settings));
          if (plan === undefined) continue;
          yield model.name;
          yield* plan.terms.flatMap((term) => [term.source, term.reason ?? '', ...term.shrinks]);
          yield* Object.values(symbolsOf(plan.terms));
          yield* changesFor(plan, { name: 'caching', conf: undefined }).map(({ cost }) => cost);
        }
      }
    }
  }
  const planOrSkip = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  };

  it('is read for every architecture, job and way of sharing it', () => {
    const all = [...sentences()];
    expect(new Set(all).size).toBeGreaterThan(150);
    expect(unread(all)).toEqual([]);
  });

  it('is read where there is no replay', () => {
    const caching = { name: 'caching', conf: undefined };
    const count = replayPlan(makePlan(modelOfCount(7e9), planSettings({})), caching);
    const huge = makePlan(
      modelOfArchitecture(findArchitecture('llama-2-70b')),
      planSettings({ batch: 4096, sequence: 4096 }),
    );
    expect(
      unread(
        [count, replayPlan(huge, caching)].map((reason) => (typeof reason === 'string' ? reason : 'a replay was made')),
      ),
    ).toEqual([]);
  });

  it('is read for each kind of mistake', () => {
    const gpt2 = modelOfArchitecture(findArchitecture('gpt2'));
    const t5 = modelOfArchitecture(findArchitecture('t5-small'));
    const plan = (settings: Partial<PlanSettings>, model = gpt2) => said(() => makePlan(model, planSettings(settings)));
    const config = (fields: unknown) => said(() => readConfig(JSON.stringify(fields), 'config.json'));
    expect(
      unread([
        plan({ batch: 0 }),
        plan({ stage: 2 }),
        plan({ offload: 'all' }),
        plan({ offload: 'all', zero: 1 }),
        plan({ masterWeights: true, precision: 'fp32' }),
        plan({ mode: 'lora', zero: 2 }),
        plan({ weights: 'nf4' }),
        plan({ tensorParallel: 5 }),
        plan({ pipelineParallel: 5 }),
        plan({ sequence: 1e6 }),
        plan({ pipelineParallel: 2 }, t5),
        plan({ sequenceParallel: true, tensorParallel: 2 }, t5),
        plan({ mode: 'inference' }, t5),
        said(() => parseCapacity('80')),
        said(() => parseCapacity('a lot')),
        said(() => parseSize('1.5', '--context')),
        said(() => parseCount('many', '--batch')),
        said(() => findArchitecture('lama')),
        said(() => findArchitecture('zzz')),
        said(() => modelOfCount(0)),
        said(() => modelOfCount(1e6, { layers: 1, hidden: 5000, heads: 5, vocabulary: 5000 })),
        said(() => modelOfArchitecture(findArchitecture('gpt2'), { heads: 7 })),
        said(() => storedArchitecture('x', '--config')),
        said(() => storedArchitecture('{"kind":"x"}', '--config')),
        said(() => readConfig('x', 'config.json')),
        said(() => readConfig('[]', 'config.json')),
        config({}),
        config({ model_type: 'llama', num_local_experts: 8 }),
        config({ model_type: 'other' }),
        config({ model_type: 'llama' }),
        config({ model_type: 'llama', hidden_size: 'x' }),
        config({ model_type: 'llama', hidden_size: 10, num_attention_heads: 3, num_hidden_layers: 1, vocab_size: 9 }),
      ]),
    ).toEqual([]);
  });
});

describe('what files are refused with', () => {
  const trace = (ops: unknown, more: object = {}) =>
    said(() => parseTrace(JSON.stringify({ schema: 'vramlab-trace', version: 1, ops, ...more }), 'a.trace.json'));

  it('is read for traces', () => {
    expect(
      unread([
        ...['', '{', 'x', '{"a":}', '{}', '{"a" 1}', '[1]'].map((text) => said(() => parseTrace(text, 'a.trace.json'))),
        trace([['q']]),
        trace([['a', 1]]),
        trace([['a', 1, -1, 0]]),
        trace([['f', 1]]),
        trace([
          ['a', 1, 512, 0],
          ['a', 1, 512, 0],
        ]),
        trace([
          ['a', 1, 512, 0],
          ['f', 1],
          ['f', 1],
        ]),
        trace([['a', 1, 512, 0, 'nothing such']]),
        trace([['y', -1]]),
        trace([['m', 1]]),
        trace([7]),
        trace(5),
        trace([], { schema: 'other' }),
        trace([], { version: 9 }),
        trace([], { version: 0 }),
      ]),
    ).toEqual([]);
  });

  it('is read for snapshots', () => {
    const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const texts = ['', '\u0089PNG', 'PK\u0003\u0004', '\u001f\u008b', '<html>', '{}', 'hello there', '\u0001\u0002'];
    const pickles = [
      '\u0080\u0004',
      '\u0080\u0004]',
      '\u0080\u0004}q',
      '\u0080\u0004cos\nsystem\n.',
      '\u0080\u0004}.',
      '\u0080\u0009.',
    ];
    expect(unread([...texts, ...pickles].map((text) => said(() => readSnapshot(bytes(text), 'a.pickle'))))).toEqual([]);
  });

  it('is read for reports', () => {
    const report = (value: unknown) => said(() => readReport(JSON.stringify(value), 'a.json'));
    expect(
      unread([
        ...['', '{"schema', 'x'].map((text) => said(() => readReport(text, 'a.json'))),
        report({}),
        report({ schema: 'other', version: 1 }),
        report({ schema: 'vramlab-report', version: 0 }),
        report({ schema: 'vramlab-report', version: 99 }),
        report({ schema: 'vramlab-report', version: 1 }),
        report({ schema: 'vramlab-report', version: 1, seed: 'x' }),
      ]),
    ).toEqual([]);
  });

  it('is read for lesson files', () => {
    const example = readFileSync('src/model/lesson/data/holes.json', 'utf8');
    const broken = (from: string | RegExp, to: string) => said(() => readCourse(example.replace(from, to), 'a.json'));
    expect(
      unread([
        ...['', 'x', '{"a":', '{}', '{"schema":"other","version":1}'].map((text) =>
          said(() => readCourse(text, 'a.json')),
        ),
        said(() => readCourse('{"schema":"vramlab-lessons","version":9}', 'a.json')),
        said(() => readCourse('{"schema":"vramlab-lessons","version":0}', 'a.json')),
        said(() => readCourse('{"schema":"vramlab-lessons","version":1}', 'a.json')),
        said(() => readCourse('{"schema":"vramlab-lessons","version":1,"lessons":[]}', 'a.json')),
        broken('"id": "A"', '"id": "D"'),
        broken('"id": "A"', '"id": "B"'),
        broken(/"a [a-z0-9.]+ /, '"q name '),
        broken(/"f [a-z0-9.]+"/, '"f nobody"'),
      ]),
    ).toEqual([]);
  });
});

describe('what settings are refused with', () => {
  it('is read for every parameter of every workload', () => {
    const refusals = WORKLOADS.flatMap(({ resolve, parameters }) => [
      said(() => resolve({ nothing: 1 })),
      ...Object.entries(parameters).map(([key, { kind }]) =>
        said(() => resolve({ [key]: kind === 'text' ? '!' : kind === 'size' ? 'much' : 'x y' })),
      ),
      ...Object.entries(parameters).flatMap(([key, { kind }]) =>
        kind === 'integer' || kind === 'size' ? [said(() => resolve({ [key]: -1 }))] : [],
      ),
    ]);
    expect(refusals.length).toBeGreaterThan(200);
    expect(unread(refusals)).toEqual([]);
  });

  it('is read for every allocator, but for the words that are of PyTorch itself', () => {
    expect(
      unread([
        said(() => makeAllocator({ name: 'nobody', capacity: 1 })),
        ...ALLOCATOR_NAMES.filter((name) => name !== 'arena' && name !== 'caching').map((name) =>
          said(() => makeAllocator({ name, conf: 'such a thing', capacity: 2 ** 30 })),
        ),
      ]),
    ).toEqual([]);
  });
});

describe('what measurements say', () => {
  const changed = (change: Partial<Report>): Report => ({ ...sampleReport, ...change });

  it('is read for tiers and comparisons', () => {
    const sizes = Array.from({ length: 12 }, (_, i) => 2 ** (14 + i));
    const rows = (name: string, value: (size: number) => number) =>
      sizes.map((workingSet) => measured(`tiers/${name}/${workingSet}`, value(workingSet), { workingSet }));
    const named = [
      rows('sweep', (size) => (size < 2 ** 20 ? 1000 : 100)),
      rows('sweep', () => 100),
      rows('sweep', () => 100).slice(0, 2),
      [...rows('sweep', () => 100), ...rows('copy-buffer', (size) => (size < 2 ** 20 ? 1000 : 300))],
    ].flatMap((each) =>
      concludeTiers(each, { class: 'software' } as never).experiments.map((found) => String(found['sentence'])),
    );
    const one = changed({ results: [measured('a', 100), measured('b', 100, { unit: 'GB/s' })] });
    const comparisons = [
      compareReports(one, one),
      compareReports(one, changed({ results: [measured('a', 200)] })),
      compareReports(one, changed({ preset: 'full', complete: false, environment: undefined } as never)),
    ];
    const words = comparisons.flatMap(({ obstacles, warnings, rows: all }) => [
      ...obstacles,
      ...warnings,
      ...all.map(({ reason }) => reason),
    ]);
    expect(unread([...named, ...words])).toEqual([]);
  });
});
