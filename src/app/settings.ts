/**
 * The settings of a run as a person edits them (text, so that a half-typed value stays on screen) and the check that
 * turns them into a request. Problems are data; their words are in `words.ts`.
 */
import { parseSize } from '../base/sizes.js';
import { type RunRequest } from '../engine/protocol.js';
import { DEFAULT_SUITES } from '../model/report/suites.js';
import { type Preset, type SuiteName } from '../model/report/schema.js';

export interface RunSettings {
  readonly suites: readonly SuiteName[];
  readonly preset: Preset;
  /** A regular expression on row ids, '' for all. */
  readonly filter: string;
  /** A size as people write it: `1 GiB`. */
  readonly budget: string;
  readonly seed: string;
}

export const DEFAULT_SETTINGS: RunSettings = {
  suites: DEFAULT_SUITES,
  preset: 'quick',
  filter: '',
  budget: '1 GiB',
  seed: '1',
};

/** One reason for each field that cannot be used. */
export interface SettingsProblems {
  readonly suites?: 'none-chosen';
  readonly filter?: 'not-a-pattern';
  readonly budget?: 'not-a-size';
  readonly seed?: 'not-a-seed';
}
export type SettingsField = keyof SettingsProblems;

export type CheckedSettings =
  | { readonly status: 'usable'; readonly request: RunRequest }
  | { readonly status: 'refused'; readonly problems: SettingsProblems };

const LARGEST_SEED = 2 ** 32 - 1;

/** The request these settings stand for, or what is wrong with each field. */
export function checkSettings(settings: RunSettings): CheckedSettings {
  const budgetBytes = readBudget(settings.budget);
  const seed = readSeed(settings.seed);
  const filter = settings.filter.trim();
  const problems: SettingsProblems = {
    ...(settings.suites.length === 0 ? { suites: 'none-chosen' } : {}),
    ...(isPattern(filter) ? {} : { filter: 'not-a-pattern' }),
    ...(budgetBytes === undefined ? { budget: 'not-a-size' } : {}),
    ...(seed === undefined ? { seed: 'not-a-seed' } : {}),
  };
  if (Object.keys(problems).length > 0 || budgetBytes === undefined || seed === undefined) {
    return { status: 'refused', problems };
  }
  const { suites, preset } = settings;
  return {
    status: 'usable',
    request: { suites, preset, budgetBytes, seed, adapter: 'any', ...(filter === '' ? {} : { filter }) },
  };
}

function readBudget(text: string): number | undefined {
  try {
    return parseSize(text, 'budget');
  } catch {
    return undefined;
  }
}

function readSeed(text: string): number | undefined {
  if (!/^\s*\d{1,10}\s*$/.test(text)) return undefined;
  const seed = Number(text);
  return seed <= LARGEST_SEED ? seed : undefined;
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text).source !== '';
  } catch {
    return false;
  }
}
