/**
 * The model of "What this means for training" as a person edits it (text, so that a half-typed value stays on screen), and
 * the check that turns it into numbers. Problems are data; their words are in `words.ts`.
 */
import { parseSize } from '../base/sizes.js';
import { type ModelSize } from '../model/report/training-stream.js';

export interface ModelSettings {
  /** `7e9`, `1.3e9`, `125000000`, `7B`. */
  readonly parameters: string;
  /** Bytes a parameter. */
  readonly weights: string;
  readonly gradients: string;
  readonly optimiser: string;
  /** The device's memory, '' where it is not known: a browser does not tell. */
  readonly memory: string;
}
export const MODEL_FIELDS = ['parameters', 'weights', 'gradients', 'optimiser', 'memory'] as const;
export type ModelField = (typeof MODEL_FIELDS)[number];

/** 7 billion parameters, fp16 weights and gradients, two Adam moments in fp32. */
export const DEFAULT_MODEL: ModelSettings = {
  parameters: '7e9',
  weights: '2',
  gradients: '2',
  optimiser: '8',
  memory: '24 GiB',
};

export type ModelProblem = 'not-a-count' | 'not-bytes' | 'not-a-size' | 'no-bytes';
export type ModelProblems = Partial<Record<ModelField, ModelProblem>>;
export type CheckedModel =
  | { readonly status: 'usable'; readonly model: ModelSize; readonly capacityBytes: number | undefined }
  | { readonly status: 'refused'; readonly problems: ModelProblems };

const MOST_PARAMETERS = 1e15;
const MOST_BYTES = 1024;
const SUFFIXES: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, b: 1e9, t: 1e12 };

/** The model these fields stand for, or what is wrong with each. */
export function checkModel(settings: ModelSettings): CheckedModel {
  const parameters = readCount(settings.parameters);
  const weights = readBytes(settings.weights);
  const gradients = readBytes(settings.gradients);
  const optimiser = readBytes(settings.optimiser);
  const memory = settings.memory.trim() === '' ? undefined : readSize(settings.memory);
  const isEmpty = weights === 0 && gradients === 0 && optimiser === 0;
  const problems: ModelProblems = {
    ...(parameters === undefined ? { parameters: 'not-a-count' } : {}),
    ...(weights === undefined ? { weights: 'not-bytes' } : isEmpty ? { weights: 'no-bytes' } : {}),
    ...(gradients === undefined ? { gradients: 'not-bytes' } : {}),
    ...(optimiser === undefined ? { optimiser: 'not-bytes' } : {}),
    ...(memory === 'unusable' ? { memory: 'not-a-size' } : {}),
  };
  if (
    Object.keys(problems).length > 0 ||
    parameters === undefined ||
    weights === undefined ||
    gradients === undefined ||
    optimiser === undefined ||
    memory === 'unusable'
  ) {
    return { status: 'refused', problems };
  }
  return { status: 'usable', model: { parameters, weights, gradients, optimiser }, capacityBytes: memory };
}

function readCount(text: string): number | undefined {
  const match = /^\s*(\d+(?:\.\d+)?(?:e\+?\d{1,2})?)\s*([kmbt]?)\s*$/i.exec(text.replaceAll(',', ''));
  if (match === null) return undefined;
  const count = Math.round(Number(match[1]) * (SUFFIXES[(match[2] ?? '').toLowerCase()] ?? 1));
  return count >= 1 && count <= MOST_PARAMETERS ? count : undefined;
}

function readBytes(text: string): number | undefined {
  if (!/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return undefined;
  const bytes = Number(text);
  return bytes <= MOST_BYTES ? bytes : undefined;
}

function readSize(text: string): number | 'unusable' {
  try {
    return parseSize(text, 'memory');
  } catch {
    return 'unusable';
  }
}
