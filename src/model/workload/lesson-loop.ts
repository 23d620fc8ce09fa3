/**
 * The loop of the Lab's first screen (design/SPEC.md, "Finding"): 8 layers, a bank of features that grows 6 MiB a step by
 * concat, one 6 MiB tensor kept a step, batches of 0.75 to 1.25 times the length, 992 MiB. The concat runs out of memory
 * because the kept tensors land in the segments that old banks left; a bank made once lets the same loop complete.
 * Golden `train_cat` and `train_prealloc` hardly differ: without small tensors that outlive the concat there is no story.
 */
import { mulberry32 } from '../../base/random.js';
import { say } from '../../base/said.js';
import { KiB, MiB } from '../../base/units.js';
import { choice, integer, type ParameterValues, seedParameter } from './parameter.js';
import { freeAll, type Program } from './program.js';
import { defineWorkload } from './workload.js';

const PARAMETERS = {
  bank: choice('concat', ['concat', 'prealloc'], 'how the bank of features is kept'),
  steps: integer(20, { min: 1, max: 1000, unit: say`steps` }, 'training steps'),
  layers: integer(8, { min: 1, max: 256, unit: say`layers` }, 'transformer layers'),
  feature: integer(6, { min: 1, max: 1024, unit: 'MiB' }, 'features that join the bank each step'),
  kept: integer(6, { min: 0, max: 1024, unit: 'MiB' }, 'log-probabilities kept each step; 0: nothing is kept'),
  lengths: choice(
    'drawn',
    ['drawn', 'seeded', 'fixed'],
    'batch length of each step: the twenty of the drawn screen (repeated), from the seed, or 1',
  ),
  seed: seedParameter(24),
} as const;
type Values = ParameterValues<typeof PARAMETERS>;

/** Lengths in eighths. */
const EIGHTHS = [6, 7, 8, 9, 10] as const;
const DRAWN = [10, 8, 9, 7, 7, 7, 7, 7, 10, 10, 6, 10, 7, 10, 8, 10, 6, 8, 8, 10] as const;

/** Weights of a layer, in KiB. */
const WEIGHTS = [
  ['qkv', 3072],
  ['proj', 1536],
  ['fc1', 4096],
  ['fc2', 4096],
  ['norm', 6],
] as const;
const EMBEDDING = MiB(8);
const REDUCE_BUCKET = KiB(12_800);

export const lessonLoop = defineWorkload({
  id: 'lesson-loop',
  about: '8 layers, a bank that grows 6 MiB a step by concat or is made once, one small tensor kept a step (Lab)',
  capacity: MiB(992),
  parameters: PARAMETERS,
  endsWith: 'weights, gradients, moments, the bank and the kept tensors',
  alternatives: () => [{ bank: 'prealloc' }],
  run: (program, values) => new LessonLoop(program, values).run(),
});

/** Length of each step, in eighths. */
function lengthsOf({ lengths, steps, seed }: Values): number[] {
  const random = mulberry32(seed);
  return Array.from({ length: steps }, (_, step) => {
    if (lengths === 'fixed') return 8;
    return lengths === 'drawn' ? DRAWN[step % DRAWN.length]! : EIGHTHS[random() % EIGHTHS.length]!;
  });
}

interface LayerSaved {
  readonly qkv: number;
  readonly attention: number;
  readonly output: number;
}

class LessonLoop {
  readonly #program: Program;
  readonly #values: Values;
  #bank: number | undefined;

  constructor(program: Program, values: Values) {
    this.#program = program;
    this.#values = values;
  }

  run(): void {
    const { layers, bank, feature, steps } = this.#values;
    this.#program.allocate(EMBEDDING, 'parameter', 'embed.weight');
    for (let l = 0; l < layers; l++) {
      for (const [name, size] of WEIGHTS) {
        this.#program.allocate(KiB(size), 'parameter', `layers.${l}.${name}.weight`);
      }
    }
    if (bank === 'prealloc') {
      this.#bank = this.#program.allocate(MiB(feature * steps), 'temporary', 'bank (preallocated)');
    }
    lengthsOf(this.#values).forEach((eighths, step) => this.#step(step, eighths));
  }

  #step(step: number, eighths: number): void {
    const program = this.#program;
    const scaled = (kib: number) => KiB((kib * eighths) / 8);
    program.marker(`step ${step}`);
    const input = program.allocate(scaled(2560), 'activation', 'input');
    const saved = Array.from({ length: this.#values.layers }, (_, l) => this.#forward(l, eighths));
    const logits = program.allocate(scaled(14_336), 'activation', 'logits');
    program.free(program.allocate(scaled(14_336), 'temporary', 'log_softmax'));
    this.#keep(step);
    program.marker(`backward ${step}`);
    this.#backward(step, eighths, saved, logits, input);
    if (step === 0) this.#makeMoments();
    program.free(program.allocate(EMBEDDING, 'temporary', 'update'));
  }

  #forward(l: number, eighths: number): LayerSaved {
    const program = this.#program;
    const scaled = (kib: number) => KiB((kib * eighths) / 8);
    const qkv = program.allocate(scaled(6144), 'activation', `layers.${l}.qkv.out`);
    // Quadratic in the length.
    const scores = program.allocate(KiB((11_264 * eighths * eighths) / 64), 'temporary', `layers.${l}.scores`);
    const attention = program.allocate(scaled(2560), 'activation', `layers.${l}.attn.out`);
    program.free(scores);
    const hidden = program.allocate(scaled(8192), 'temporary', `layers.${l}.mlp.hidden`);
    const output = program.allocate(scaled(2560), 'activation', `layers.${l}.out`);
    program.free(hidden);
    return { qkv, attention, output };
  }

  /** The line of user code that the lesson is about, and the small tensor that outlives it. */
  #keep(step: number): void {
    const program = this.#program;
    const { feature, kept, bank } = this.#values;
    const features = program.allocate(MiB(feature), 'activation', 'features');
    if (bank === 'concat') {
      const joined = program.allocate(
        MiB(feature * (step + 1)),
        'temporary',
        `bank = cat(bank, features), step ${step}`,
      );
      if (this.#bank !== undefined) program.free(this.#bank);
      this.#bank = joined;
    }
    if (kept > 0) program.allocate(MiB(kept), 'activation', `kept.append(logp), step ${step}`);
    program.free(features);
  }

  #backward(step: number, eighths: number, saved: readonly LayerSaved[], logits: number, input: number): void {
    const program = this.#program;
    const scaled = (kib: number) => KiB((kib * eighths) / 8);
    const middle = Math.floor(saved.length / 2);
    const dLogits = program.allocate(scaled(14_336), 'gradient', 'd logits');
    program.free(logits);
    let incoming = program.allocate(scaled(2560), 'gradient', 'd x');
    program.free(dLogits);
    for (let l = saved.length - 1; l >= 0; l--) {
      const hidden = program.allocate(scaled(8192), 'temporary', `d layers.${l}.mlp.hidden`);
      if (step === 0) this.#makeGradients(l);
      program.free(hidden);
      const outgoing = program.allocate(scaled(2560), 'gradient', 'd x');
      program.free(incoming);
      incoming = outgoing;
      const { qkv, attention, output } = saved[l]!;
      freeAll(program, [qkv, attention, output]);
      if (l === middle || l === 0) {
        program.free(program.allocate(REDUCE_BUCKET, 'communication', `all_reduce bucket ${l === 0 ? 0 : 1}`));
      }
    }
    freeAll(program, [incoming, input]);
    if (step === 0) program.allocate(EMBEDDING, 'gradient', 'embed.grad');
  }

  /** Gradients are made in the first backward pass and kept (set_to_none=False). */
  #makeGradients(l: number): void {
    for (const [name, size] of WEIGHTS) this.#program.allocate(KiB(size), 'gradient', `layers.${l}.${name}.grad`);
  }

  /** Adam makes its moments in its first step. */
  #makeMoments(): void {
    const moments = (name: string, size: number) => {
      for (const moment of ['exp_avg', 'exp_avg_sq']) this.#program.allocate(size, 'optimizer', `${name} ${moment}`);
    };
    moments('embed.weight', EMBEDDING);
    for (let l = 0; l < this.#values.layers; l++) {
      for (const [name, size] of WEIGHTS) moments(`layers.${l}.${name}.weight`, KiB(size));
    }
  }
}
