/** Runs cut into pieces for the way to another thread, and put together again there. */
import { type MemoryRun } from '../../model/memory-map/memory-run.js';
import { type RunPart } from './view-protocol.js';

/** Entries of a list of words in one piece. */
const WORDS_A_PIECE = 20_000;

/** The pieces of a run: each column one, lists of words a few thousand at a time, plain values each for themselves. */
export function* partsOf(run: MemoryRun, index: number): Generator<RunPart> {
  for (const [key, value] of Object.entries(run) as readonly (readonly [string, unknown])[]) {
    if (Array.isArray(value)) {
      for (let from = 0; from === 0 || from < value.length; from += WORDS_A_PIECE) {
        yield { run: index, path: [key], value: value.slice(from, from + WORDS_A_PIECE) };
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, column] of Object.entries(value) as readonly (readonly [string, unknown])[]) {
        yield { run: index, path: [key, name], value: column };
      }
    } else yield { run: index, path: [key], value };
  }
}

type Gathered = Record<string, unknown>;

export class RunParts {
  #runs: Gathered[] = [];

  clear(): void {
    this.#runs = [];
  }

  add({ run, path, value }: RunPart): void {
    const [key, name] = path;
    const gathered = (this.#runs[run] ??= {});
    if (name !== undefined) {
      const table = (gathered[key] ??= {}) as Gathered;
      table[name] = value;
    } else if (Array.isArray(value)) {
      const list = (gathered[key] ??= []) as unknown[];
      for (const entry of value as readonly unknown[]) list.push(entry);
    } else gathered[key] = value;
  }

  /** The runs, once all their pieces are there. */
  runs(): MemoryRun[] {
    return this.#runs.map((gathered) => gathered as unknown as MemoryRun);
  }
}
