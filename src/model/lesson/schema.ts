/**
 * A lesson file (`vramlab-lessons`, docs/LESSONS.md): lessons of steps, each a question with three answers, the runs that
 * settle it, the numbers that must come out, and what to remember. Types and shape; `check-course.ts` has the rules that
 * tie its parts together.
 */
import { say } from '../../base/said.js';
import * as v from 'valibot';

export const COURSE_SCHEMA = 'vramlab-lessons';
export const COURSE_VERSION = 1;

const LONGEST_TEXT = 4000;
const MOST_LESSONS = 40;
const MOST_STEPS = 60;
const MOST_RUNS = 8;
const MOST_LINES = 5000;

const words = v.pipe(
  v.string(say`a text is missing here`),
  v.nonEmpty(say`the text is empty`),
  v.maxLength(LONGEST_TEXT),
);
const localText = v.pipe(
  v.union(
    [
      v.pipe(
        words,
        v.transform((en) => ({ en })),
      ),
      v.strictObject({ en: v.optional(words), zh: v.optional(words) }),
    ],
    say`write a text, or {"en": "...", "zh": "..."}`,
  ),
  v.check(
    ({ en, zh }: { readonly en?: string | undefined; readonly zh?: string | undefined }) => {
      return en !== undefined || zh !== undefined;
    },
    say`give the text in "en", "zh" or both`,
  ),
);
const name = (pattern: RegExp, takes: string) => v.pipe(v.string(takes), v.regex(pattern, takes));
const id = name(/^[a-z0-9][a-z0-9-]{0,63}$/, say`a name of lower-case letters, digits and hyphens`);
const stepId = name(
  /^[a-z0-9][a-z0-9-]{0,63}\/[a-z0-9][a-z0-9-]{0,63}$/,
  say`lesson/step, in lower-case letters, digits and hyphens`,
);
const word = name(/^[A-Za-z][A-Za-z0-9]{0,31}$/, say`a word of letters and digits`);

export const METRICS = [
  'allocated',
  'requested',
  'reserved',
  'gap',
  'notReserved',
  'freeTotal',
  'internal',
  'largestFree',
  'holes',
  'fragmentation',
  'stuck',
  'pinnedSegments',
  'segments',
  'deviceCalls',
  'deviceFrees',
  'retries',
  'syncs',
  'failures',
  'completes',
  'failedTensor',
  'request',
  'blockSize',
  'sameAddress',
  'segmentSize',
  'errorHas',
  'peakStat',
  'gapMax',
  'freesNeeded',
  'freesWays',
  'freesBytes',
] as const;
export type Metric = (typeof METRICS)[number];

export const UNITS = ['bytes', 'GB', 'GB/s', 'count', 'times', 'ratio', 'ns', 'µs', 'ms', 'text', ''] as const;
export type Unit = (typeof UNITS)[number];
const unit = v.picklist(UNITS, say`one of ${UNITS.filter((each) => each !== '').join(', ')}, or ""`);

const expectation = v.union(
  [
    v.strictObject({
      run: word,
      metric: v.picklist(METRICS),
      at: v.pipe(v.string(), v.nonEmpty()),
      unit,
      value: v.union([v.number(), v.string()]),
    }),
    v.strictObject({ calc: v.pipe(v.string(), v.maxLength(400)), unit, value: v.number() }),
    v.strictObject({ reference: v.number(), unit }),
  ],
  'an expectation has run, metric, at, unit and value; or calc, unit and value; or reference and unit',
);

const sizeText = v.pipe(v.string(say`a size with a unit, such as 448MiB`), v.nonEmpty(), v.maxLength(40));
const sharedRun = {
  id: word,
  label: v.optional(localText),
  budget: sizeText,
  ops: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(400))), v.nonEmpty(), v.maxLength(MOST_LINES))),
  generator: v.optional(
    v.strictObject({
      id: v.string(),
      set: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
    }),
  ),
  /** Whether the run also goes on real buffers. */
  realBuffers: v.optional(v.boolean(), true),
  traceSha256: v.optional(name(/^[0-9a-f]{64}$/, say`a SHA-256 of 64 hexadecimal digits`)),
};
const run = v.variant(
  'allocator',
  [
    v.strictObject({
      ...sharedRun,
      allocator: v.literal('caching'),
      conf: v.optional(v.string(), ''),
      fraction: v.optional(v.pipe(v.number(), v.gtValue(0), v.maxValue(1))),
    }),
    v.strictObject({
      ...sharedRun,
      allocator: v.literal('bfc'),
      options: v.optional(
        v.strictObject({
          allowGrowth: v.optional(v.boolean(), false),
          garbageCollection: v.optional(v.boolean(), false),
        }),
        {},
      ),
    }),
    v.strictObject({ ...sharedRun, allocator: v.literal('direct') }),
  ],
  'the allocator is caching, bfc or direct',
);

const choice = v.strictObject({
  id: v.picklist(['A', 'B', 'C'], say`A, B or C`),
  text: localText,
  right: v.boolean('true for the right answer, false for the others'),
  misconception: v.optional(localText),
});

/** A bar of the plan or ladder view: the number of an expectation, named. */
const bar = v.strictObject({
  value: word,
  label: localText,
  category: v.optional(v.picklist(['P', 'G', 'O', 'A', 'T', 'C'], say`a category: P, G, O, A, T or C`)),
  /** Bars of one group lie on top of each other. */
  group: v.optional(localText),
});

const step = v.strictObject({
  id: stepId,
  kind: v.picklist(['replay', 'plan', 'measure'], say`replay, plan or measure`),
  view: v.picklist(['ladder', 'map', 'timeline', 'why', 'budget', 'plan']),
  question: localText,
  setup: localText,
  choices: v.pipe(v.array(choice), v.length(3, 'exactly three answers: A, B and C')),
  runs: v.optional(v.pipe(v.array(run), v.maxLength(MOST_RUNS)), []),
  expect: v.optional(v.record(word, expectation), {}),
  reveal: localText,
  takeaway: localText,
  corrects: v.optional(v.array(v.string()), []),
  measure: v.optional(
    v.strictObject({
      suite: v.literal('tiers', 'tiers: the suite whose rows a lesson can show'),
      ids: v.pipe(v.array(name(/^[a-z0-9/-]+$/, say`the start of a row id, such as tiers/latency`)), v.nonEmpty()),
      check: v.string(),
    }),
  ),
  frees: v.optional(
    v.strictObject({
      run: word,
      limit: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3)),
      sets: v.array(v.strictObject({ tensors: v.array(v.string()), bytes: v.number() })),
    }),
  ),
  /** Where the scene stands before the reveal: a marker, or a number of operations. */
  start: v.optional(v.union([v.string(), v.pipe(v.number(), v.integer(), v.minValue(0))])),
  bars: v.optional(v.array(bar), []),
  /** A limit that the bars stand against. */
  limit: v.optional(v.strictObject({ bytes: v.number(), label: localText })),
});

const lesson = v.strictObject({
  id,
  title: localText,
  minutes: v.pipe(v.number(), v.minValue(1), v.maxValue(240)),
  goal: localText,
  steps: v.pipe(v.array(step), v.nonEmpty(say`a lesson has at least one step`), v.maxLength(MOST_STEPS)),
});

/** What else the workshop's file holds (claims, glossary, how to read it) is not looked at. */
export const courseSchema = v.looseObject({
  schema: v.literal(COURSE_SCHEMA),
  version: v.literal(COURSE_VERSION),
  lessons: v.pipe(v.array(lesson), v.nonEmpty(say`a lesson file has at least one lesson`), v.maxLength(MOST_LESSONS)),
});

export type Lesson = v.InferOutput<typeof lesson>;
export type Step = v.InferOutput<typeof step>;
export type Choice = v.InferOutput<typeof choice>;
export type Run = v.InferOutput<typeof run>;
export type Expectation = v.InferOutput<typeof expectation>;
export type MetricExpectation = Extract<Expectation, { readonly metric: Metric }>;
export type ChoiceId = Choice['id'];
export interface Course {
  readonly lessons: readonly Lesson[];
}
