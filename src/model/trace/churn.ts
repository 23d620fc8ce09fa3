/**
 * Traces that golden files name by their generator instead of carrying them (golden/pytorch/README.md): a seeded churn of
 * small and large tensors, any seed and length.
 */
import { type Random, mulberry32 } from '../../base/random.js';
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';

const MIB = 2 ** 20;

export interface ChurnGenerator {
  readonly algorithm: 'mulberry32-churn';
  readonly seed: number;
  readonly ops: number;
  readonly max_live: number;
}

/** Reads the `generator` of a golden file. Throws `AppError` (`bad-input`) for one that is not known or not whole. */
export function churnGenerator(value: unknown, source: string): ChurnGenerator {
  const fields = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  if (fields['algorithm'] !== 'mulberry32-churn') {
    const named = JSON.stringify(fields['algorithm']) as string | undefined;
    throw badInput(
      source,
      say`${source}: generator ${named ?? say`without algorithm`} is not known; "mulberry32-churn" is`,
    );
  }
  const whole = (key: string, most: number): number => {
    const field = fields[key];
    if (typeof field === 'number' && Number.isInteger(field) && field >= 0 && field <= most) return field;
    throw badInput(source, say`${source}: generator.${key} is not a whole number from 0 to ${most}`);
  };
  return {
    algorithm: 'mulberry32-churn',
    seed: whole('seed', 2 ** 32 - 1),
    ops: whole('ops', 2 ** 31),
    max_live: whole('max_live', 2 ** 24),
  };
}

/** Takes the operations; tensors are numbered from 1. A `TraceBuilder` is one. */
export interface ChurnSink {
  allocate(id: number, size: number): void;
  free(id: number): void;
}

/** The churn, a piece at a time: `add(sink, n)` adds the next n operations or fewer and says how many. */
export class Churn {
  readonly #generator: ChurnGenerator;
  readonly #random: Random;
  readonly #live: number[] = [];
  #lastId = 0;
  #done = 0;

  constructor(generator: ChurnGenerator) {
    this.#generator = generator;
    this.#random = mulberry32(generator.seed);
  }

  /** Adds up to `most` operations; 0 once all are there. */
  add(sink: ChurnSink, most: number): number {
    const count = Math.min(most, this.#generator.ops - this.#done);
    for (let i = 0; i < count; i++) this.#addOne(sink);
    this.#done += count;
    return count;
  }

  #addOne(sink: ChurnSink): void {
    const live = this.#live;
    const draw = this.#random();
    if (live.length === 0 || (live.length < this.#generator.max_live && draw % 2 === 0)) {
      const size = churnSize(this.#random() % 100, this.#random());
      sink.allocate(++this.#lastId, size);
      live.push(this.#lastId);
      return;
    }
    const j = this.#random() % live.length;
    sink.free(live[j]!);
    const last = live.pop()!;
    if (j < live.length) live[j] = last;
  }
}

/** 70 % up to 64 KiB, 20 % up to 1 MiB, 8 % from 1 to 16 MiB, 2 % from 16 to 64 MiB. */
function churnSize(percent: number, draw: number): number {
  if (percent < 70) return 1 + (draw % 65536);
  if (percent < 90) return 1 + (draw % MIB);
  if (percent < 98) return MIB + (draw % (15 * MIB));
  return 16 * MIB + (draw % (48 * MIB));
}
