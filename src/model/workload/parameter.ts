/**
 * Parameters of a workload as data: name, unit, default, range and meaning. `vramlab trace --list`, `--set key=value`
 * and a form on a screen all read the same table, so that none of them can know a parameter that another does not.
 *
 *     const parameters = {
 *       steps: integer(4, { min: 1, max: 1000, unit: 'steps' }, 'optimiser steps'),
 *       variant: choice('concat', ['concat', 'prealloc'], 'how the bank of outputs is kept'),
 *     };
 *     resolveParameters('layer-bank', parameters, { steps: '8' }); // { steps: 8, variant: 'concat' }
 */
import { assertNever, badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { formatNumber } from '../../base/format.js';
import { parseSize, sizeLabel } from '../../base/sizes.js';

export type Parameter = IntegerParameter | SizeParameter | ChoiceParameter | FlagParameter | TextParameter;

export interface IntegerParameter {
  readonly kind: 'integer';
  readonly unit: string;
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
  readonly about: string;
}

/** A size in bytes; written as `6MiB`. */
export interface SizeParameter {
  readonly kind: 'size';
  readonly unit: 'bytes';
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
  readonly about: string;
}

export interface ChoiceParameter<T extends string = string> {
  readonly kind: 'choice';
  readonly unit: '';
  readonly fallback: T;
  readonly choices: readonly T[];
  readonly about: string;
}

export interface FlagParameter {
  readonly kind: 'flag';
  readonly unit: '';
  readonly fallback: boolean;
  readonly about: string;
}

/** A short text: the name of a tensor, or nothing. */
export interface TextParameter {
  readonly kind: 'text';
  readonly unit: '';
  readonly fallback: string;
  readonly pattern: RegExp;
  /** The pattern in words. */
  readonly takes: string;
  readonly about: string;
}

export type ParameterTable = Readonly<Record<string, Parameter>>;

/** The values that a table describes, key by key. */
export type ParameterValues<P extends ParameterTable> = {
  readonly [K in keyof P]: P[K] extends ChoiceParameter<infer T>
    ? T
    : P[K] extends FlagParameter
      ? boolean
      : P[K] extends TextParameter
        ? string
        : number;
};

/** A value as it comes from a command line (text) or from JSON. */
export type ParameterInput = Readonly<Record<string, unknown>>;

type Value = number | boolean | string;

export const integer = (
  fallback: number,
  range: { readonly min: number; readonly max: number; readonly unit: string },
  about: string,
): IntegerParameter => ({ kind: 'integer', fallback, ...range, about });

export const size = (fallback: number, range: { min: number; max: number }, about: string): SizeParameter => ({
  kind: 'size',
  unit: 'bytes',
  fallback,
  ...range,
  about,
});

export const choice = <const T extends string>(
  fallback: NoInfer<T>,
  choices: readonly T[],
  about: string,
): ChoiceParameter<T> => ({ kind: 'choice', unit: '', fallback, choices, about });

export const flag = (fallback: boolean, about: string): FlagParameter => ({
  kind: 'flag',
  unit: '',
  fallback,
  about,
});

export const text = (fallback: string, pattern: RegExp, takes: string, about: string): TextParameter => ({
  kind: 'text',
  unit: '',
  fallback,
  pattern,
  takes,
  about,
});

/** The seed that every workload with chance in it has. */
export const seedParameter = (fallback: number): IntegerParameter =>
  integer(fallback, { min: 0, max: 2 ** 32 - 1, unit: '' }, 'seed of the random numbers: same seed, same trace');

/**
 * Fills in defaults and checks what was given. Throws `AppError` (`bad-input`, one line) for a key that the workload
 * does not have (the known ones are named), a value of the wrong kind, or one out of range.
 */
export function resolveParameters<P extends ParameterTable>(
  workload: string,
  table: P,
  given: ParameterInput,
): ParameterValues<P> {
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(table, key)) {
      const known = Object.keys(table).join(', ');
      throw badInput(key, say`${workload} has no parameter "${key}"; it has: ${known}`);
    }
  }
  const values: Record<string, Value> = {};
  for (const [key, parameter] of Object.entries(table)) {
    values[key] = Object.hasOwn(given, key)
      ? readValue(`${workload}: ${key}`, parameter, given[key])
      : parameter.fallback;
  }
  // The loop above put a value of the declared kind under every key of the table.
  return values as ParameterValues<P>;
}

/** What a parameter takes, in words: `1 to 64 sequences`, `concat, prealloc or none`, `true or false`. */
export function describeRange(parameter: Parameter): string {
  switch (parameter.kind) {
    case 'integer': {
      const [min, max] = [formatNumber(parameter.min), formatNumber(parameter.max)];
      return parameter.unit === '' ? `${min} to ${max}` : `${min} to ${max} ${parameter.unit}`;
    }
    case 'size':
      return `${sizeLabel(parameter.min)} to ${sizeLabel(parameter.max)}`;
    case 'choice':
      return oneOf(parameter.choices);
    case 'flag':
      return 'true or false';
    case 'text':
      return parameter.takes;
    default:
      return assertNever(parameter);
  }
}

/** A default as it is written after `--set key=`. */
export function describeDefault(parameter: Parameter): string {
  return parameter.kind === 'size' ? sizeLabel(parameter.fallback) : String(parameter.fallback);
}

function readValue(where: string, parameter: Parameter, given: unknown): Value {
  switch (parameter.kind) {
    case 'integer':
      return inRange(where, parameter, wholeNumber(where, parameter, given));
    case 'size':
      return inRange(where, parameter, typeof given === 'number' ? given : parseSize(shown(given), where));
    case 'choice': {
      const match = parameter.choices.find((name) => name === given);
      if (match === undefined) throw refused(where, parameter, given);
      return match;
    }
    case 'flag':
      if (given === true || given === 'true' || given === 'True') return true;
      if (given === false || given === 'false' || given === 'False') return false;
      throw refused(where, parameter, given);
    case 'text':
      if (typeof given === 'string' && parameter.pattern.test(given)) return given;
      throw refused(where, parameter, given);
    default:
      return assertNever(parameter);
  }
}

/** Digits, or a number such as 5e8 that comes out whole. */
function wholeNumber(where: string, parameter: IntegerParameter, given: unknown): number {
  if (typeof given === 'number') return given;
  if (typeof given === 'string' && /^-?[0-9]+(\.[0-9]+)?(e[0-9]+)?$/i.test(given)) return Number(given);
  throw refused(where, parameter, given);
}

function inRange(where: string, parameter: IntegerParameter | SizeParameter, value: number): number {
  if (Number.isInteger(value) && value >= parameter.min && value <= parameter.max) return value;
  throw refused(where, parameter, value);
}

function refused(where: string, parameter: Parameter, given: unknown) {
  return badInput(where, refusalOf(`${where}: "${shown(given)}"`, parameter));
}

/** One whole sentence a kind, so that each can be put into another language. */
function refusalOf(what: string, parameter: Parameter): string {
  switch (parameter.kind) {
    case 'integer': {
      const [min, max] = [formatNumber(parameter.min), formatNumber(parameter.max)];
      const most = parameter.unit === '' ? max : `${max} ${parameter.unit}`;
      return say`${what} is not usable; give a whole number, ${min} to ${most}`;
    }
    case 'size':
      return say`${what} is not usable; give a whole number, ${sizeLabel(parameter.min)} to ${sizeLabel(parameter.max)}`;
    case 'choice':
    case 'flag': {
      const choices = parameter.kind === 'flag' ? ['true', 'false'] : parameter.choices;
      const [last = '', ...others] = choices.toReversed();
      return say`${what} is not usable; give ${others.toReversed().join(', ')} or ${last}`;
    }
    case 'text':
      return say`${what} is not usable; give ${parameter.takes}`;
    default:
      return assertNever(parameter);
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function oneOf(names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} or ${names[names.length - 1] ?? ''}`;
}
