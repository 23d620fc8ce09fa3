/**
 * What the Lab is set to, as a person edits it (text, so that a half-typed value stays on screen): a program, a budget, and
 * two sides that differ in code, in settings, in the allocator, or in the batch.
 */
import { findWorkload } from '../../model/workload/catalogue.js';
import { type Workload } from '../../model/workload/workload.js';

/** Ways to compare. `own`: the sides are what a person made of them. */
export const PAIRS = ['code', 'setting', 'allocator', 'batch', 'own'] as const;
export type LabPair = (typeof PAIRS)[number];

export interface SideSettings {
  /** As in `--allocator`. */
  readonly allocator: string;
  readonly conf: string;
  /** Parameters that this side has in another way: `bank=prealloc b=8`; '' for none. */
  readonly change: string;
}
export type SideName = 'a' | 'b';

export interface LabSettings {
  readonly pair: LabPair;
  readonly workload: string;
  /** Parameters that differ from the workload's defaults, as they are written. */
  readonly parameters: Readonly<Record<string, string>>;
  /** A size, '' for the one that the workload was made for. */
  readonly budget: string;
  readonly a: SideSettings;
  readonly b: SideSettings;
}

const PLAIN: SideSettings = { allocator: 'caching', conf: '', change: '' };
const DEFAULT_WORKLOAD = 'lesson-loop';
/** Parameters that are a batch, in the order in which they are looked for. */
const BATCHES = ['b', 'batch'] as const;

/** The loop of the first screen: temporary concats against one buffer. */
export const defaultSettings = (): LabSettings => settingsFor(DEFAULT_WORKLOAD, 'code');

/** The flagship: 13B parameters on 40 GB cards, concats at batch 4, one buffer at batch 8. Seed 2 fails in its third step. */
export const flagshipSettings = (): LabSettings =>
  withPair({ ...settingsFor('case13b', 'batch'), parameters: { seed: '2', steps: '3' } }, 'batch');

/** A workload with its own defaults, compared as asked where it can be, else by a setting. */
export function settingsFor(workload: string, pair: LabPair): LabSettings {
  const settings = { pair, workload, parameters: {}, budget: '', a: PLAIN, b: PLAIN };
  return withPair(settings, canCompare(settings, pair) ? pair : 'setting');
}

/** Which comparisons this program has. */
export function canCompare(settings: LabSettings, pair: LabPair): boolean {
  if (pair === 'code') return codeChange(settings) !== undefined;
  return pair !== 'batch' || batchChange(settings) !== undefined;
}

/** The sides of a comparison. `own` keeps what is there. */
export function withPair(settings: LabSettings, pair: LabPair): LabSettings {
  switch (pair) {
    case 'own':
      return { ...settings, pair };
    case 'code':
      return { ...settings, pair, a: PLAIN, b: { ...PLAIN, change: codeChange(settings) ?? '' } };
    case 'batch':
      return { ...settings, pair, a: PLAIN, b: { ...PLAIN, change: batchChange(settings) ?? '' } };
    case 'setting':
      return { ...settings, pair, a: PLAIN, b: { ...PLAIN, conf: 'expandable_segments:True' } };
    case 'allocator':
      return { ...settings, pair, a: PLAIN, b: { ...PLAIN, allocator: 'bfc' } };
  }
}

/** The program with its memory kept in another way, everything else the same. */
function codeChange(settings: LabSettings): string | undefined {
  const { workload, values } = resolved(settings);
  const other = workload.alternatives?.(values).find((set) => !hasBatch(set) && differs(set, values));
  return other === undefined ? undefined : written(other);
}

/** Twice the batch, kept in the other way where the workload knows one. */
function batchChange(settings: LabSettings): string | undefined {
  const { workload, values } = resolved(settings);
  const other = workload.alternatives?.(values).find((set) => hasBatch(set));
  if (other !== undefined) return written(other);
  for (const key of BATCHES) {
    const value = values[key];
    const parameter = workload.parameters[key];
    if (typeof value !== 'number' || parameter?.kind !== 'integer' || 2 * value > parameter.max) continue;
    return written({ [key]: 2 * value });
  }
  return undefined;
}

/** The values on screen, or the defaults while one of them cannot be used. */
function resolved({ workload: id, parameters }: LabSettings) {
  const workload = findWorkload(id);
  try {
    return { workload, values: workload.resolve(parameters) };
  } catch {
    return { workload, values: workload.resolve({}) }; // the field says what is wrong; the choices stay as they are
  }
}

type Values = Readonly<Record<string, unknown>>;
const hasBatch = (set: Values): boolean => BATCHES.some((key) => key in set);
const differs = (set: Values, values: Values): boolean =>
  Object.entries(set).some(([key, value]) => values[key] !== value);
const written = (set: Values): string =>
  Object.entries(set)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(' ');

/** The parameters of a side: those of the program, then what this side changes. A word without `=` has the value ''. */
export function sideParameters(
  { parameters }: LabSettings,
  { change }: SideSettings,
): Readonly<Record<string, string>> {
  const own = change
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word): [string, string] => {
      const at = word.indexOf('=');
      return at < 0 ? [word, ''] : [word.slice(0, at), word.slice(at + 1)];
    });
  return { ...parameters, ...Object.fromEntries(own) };
}

/** Bytes that the workload of these settings was made for. */
export const ownCapacity = ({ workload }: LabSettings): number => workloadOf(workload).capacity;

export const workloadOf = (id: string): Workload => findWorkload(id);
