/**
 * The Lab's part of a link (`pair=setting&w=lesson-loop&p.steps=12&bc=expandable_segments%3ATrue&t=2385`): only what
 * differs from the comparison's own sides is written. What cannot be read is named, part by part, and the rest holds.
 */
import { AppError } from '../../base/errors.js';
import { ALLOCATOR_NAMES } from '../../model/allocator/names.js';
import { WORKLOADS } from '../../model/workload/catalogue.js';
import { resolveParameters } from '../../model/workload/parameter.js';
import { type LinkProblem } from '../url-state.js';
import {
  canCompare,
  defaultSettings,
  type LabPair,
  type LabSettings,
  PAIRS,
  settingsFor,
  type SideName,
  type SideSettings,
  withPair,
  workloadOf,
} from './lab-settings.js';

/** What the Lab shows, as far as a link can say it. */
export interface LabView {
  readonly settings: LabSettings;
  /** Position of the playhead; undefined: at the failure, or at the end. */
  readonly position: number | undefined;
  readonly rows: 'packed' | 'single';
  /** Name of a program that a file or a page gave, which no link carries. */
  readonly file: string | undefined;
}

export interface ReadLabView {
  readonly view: LabView;
  readonly problems: readonly LinkProblem[];
}

const LONGEST = 500;
const PARAMETER = 'p.';
/** Keys of a side: allocator, settings, change. */
const SIDE_KEYS = { allocator: '', conf: 'c', change: 'p' } as const;
const SIDES = ['a', 'b'] as const;

/** Reads the part; never throws. */
export function readLabView(text: string): ReadLabView {
  const problems: LinkProblem[] = [];
  const refuse = (key: string, value: string) => void problems.push({ kind: 'unreadable', key, value });
  const given = new URLSearchParams(text);
  const take = (key: string): string | undefined => {
    const value = given.get(key) ?? undefined;
    given.delete(key);
    if (value === undefined || value.length <= LONGEST) return value;
    refuse(key, `${value.slice(0, 20)}...`);
    return undefined;
  };
  const start = defaultSettings();
  const workload =
    oneOf(
      take('w'),
      WORKLOADS.map(({ id }) => id),
      (value) => refuse('w', value),
    ) ?? start.workload;
  const pair = oneOf<LabPair>(take('pair'), PAIRS, (value) => refuse('pair', value)) ?? 'code';
  const base: LabSettings = {
    ...settingsFor(workload, 'setting'),
    parameters: readParameters(workload, given, refuse),
  };
  const isThere = canCompare(base, pair);
  if (!isThere) refuse('pair', pair);
  const paired = withPair(base, isThere ? pair : 'setting');
  const settings: LabSettings = {
    ...paired,
    budget: take('budget') ?? '',
    a: readSide('a', paired.a, take, refuse),
    b: readSide('b', paired.b, take, refuse),
  };
  const view: LabView = {
    settings,
    position: readPosition(take('t'), refuse),
    rows: oneOf(take('rows'), ['packed', 'single'], (value) => refuse('rows', value)) ?? 'packed',
    file: take('file'),
  };
  for (const [key, value] of given) refuse(key, value.slice(0, LONGEST));
  return { view, problems };
}

type Refuse = (key: string, value: string) => void;

function oneOf<T extends string>(
  value: string | undefined,
  known: readonly T[],
  refuse: (value: string) => void,
): T | undefined {
  const found = known.find((each) => each === value);
  if (value !== undefined && found === undefined) refuse(value);
  return found;
}

/** Values that no run can use are refused here, so that a link never leads to a page that does not start. */
function readParameters(workload: string, given: URLSearchParams, refuse: Refuse): Record<string, string> {
  const { id, parameters: table } = workloadOf(workload);
  const parameters: Record<string, string> = {};
  for (const [key, value] of [...given]) {
    if (!key.startsWith(PARAMETER)) continue;
    given.delete(key);
    const name = key.slice(PARAMETER.length);
    const parameter = Object.hasOwn(table, name) ? table[name] : undefined;
    try {
      resolveParameters(id, parameter === undefined ? {} : { [name]: parameter }, { [name]: value });
      parameters[name] = value;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refuse(key, value.slice(0, LONGEST));
    }
  }
  return parameters;
}

function readSide(
  side: SideName,
  own: SideSettings,
  take: (key: string) => string | undefined,
  refuse: Refuse,
): SideSettings {
  const allocator = oneOf(take(side), ALLOCATOR_NAMES, (value) => refuse(side, value));
  return {
    allocator: allocator ?? own.allocator,
    conf: take(`${side}${SIDE_KEYS.conf}`) ?? own.conf,
    change: take(`${side}${SIDE_KEYS.change}`) ?? own.change,
  };
}

function readPosition(value: string | undefined, refuse: Refuse): number | undefined {
  if (value === undefined) return undefined;
  if (/^(-1|\d{1,9})$/.test(value)) return Number(value);
  refuse('t', value);
  return undefined;
}

/** The text that `readLabView` turns back into the same view. */
export function writeLabView({ settings, position, rows, file }: LabView): string {
  const { pair, workload, parameters, budget } = settings;
  const text = new URLSearchParams();
  const start = defaultSettings();
  if (pair !== start.pair) text.set('pair', pair);
  if (workload !== start.workload) text.set('w', workload);
  for (const [key, value] of Object.entries(parameters)) text.set(`${PARAMETER}${key}`, value);
  if (budget !== '') text.set('budget', budget);
  const own = withPair({ ...settingsFor(workload, 'setting'), parameters }, pair);
  for (const side of SIDES) {
    for (const key of ['allocator', 'conf', 'change'] as const) {
      if (settings[side][key] !== own[side][key]) text.set(`${side}${SIDE_KEYS[key]}`, settings[side][key]);
    }
  }
  if (position !== undefined) text.set('t', String(position));
  if (rows !== 'packed') text.set('rows', rows);
  if (file !== undefined) text.set('file', file);
  return text.toString();
}
