import { describe, expect, it, test } from 'vitest';
import { GiB, MiB } from '../../base/units.js';
import { changesFor, largestBatch, tryChanges } from './advice.js';
import { findArchitecture } from './architecture/presets.js';
import { evaluate } from './formula.js';
import { modelOfArchitecture, modelOfCount } from './model.js';
import { makePlan, type Plan } from './plan.js';
import { layerActivations, type LayerCase } from './published/korthikanti.js';
import { zeroModelStates } from './published/zero-paper.js';
import { fitsOn, replayPlan } from './replay-plan.js';
import { isTooLarge } from './room.js';
import { type PlanSettings, planSettings } from './settings.js';
import { layerFormula } from './terms/activations.js';
import { shapeValues } from './shape.js';

const bytesOf = (plan: Plan, id: string) => plan.terms.find((each) => each.id === id)?.bytes;
const gpt2 = (given: Partial<PlanSettings> = {}) =>
  makePlan(modelOfArchitecture(findArchitecture('gpt2')), planSettings({ batch: 2, sequence: 256, ...given }));
const caching = { name: 'caching', conf: undefined };

describe('a count of parameters alone', () => {
  it('7 billion in fp16 with Adam are 14 + 14 + 56 = 84 GB, master copies are 28 more', () => {
    const plan = makePlan(modelOfCount(7e9), planSettings({}));
    expect(['parameters', 'gradients', 'optimizer'].map((id) => bytesOf(plan, id))).toEqual([14e9, 14e9, 56e9]);
    expect(plan.total).toBe(84e9);
    const master = makePlan(modelOfCount(7e9), planSettings({ masterWeights: true }));
    expect([bytesOf(master, 'master-weights'), master.total]).toEqual([28e9, 112e9]);
  });

  it('refuses an architecture whose parameters are past counting to the byte', () => {
    const wide = (hidden: number) =>
      modelOfArchitecture({ ...findArchitecture('gpt2'), hidden, heads: 1, kvHeads: 1, headSize: hidden });
    expect(wide(1e6).parameters).toBeGreaterThan(1e12);
    expect(() => wide(1e9)).toThrow(/^gpt2: its sizes make more than 1e15 parameters; give smaller ones$/);
  });

  it('says what it cannot compute, and why', () => {
    const { terms } = makePlan(modelOfCount(7e9), planSettings({ dataParallel: 8 }));
    const unknown = terms.filter(({ bytes }) => bytes === undefined);
    expect(unknown.map(({ id }) => id)).toEqual([
      'activations',
      'logits',
      'temporaries',
      'communication',
      'nccl',
      'context',
    ]);
    for (const { reason } of unknown) expect(reason).toMatch(/give --/);
  });

  test.each([0, 1, 2, 3] as const)('stage %i divides what the ZeRO paper divides', (zero) => {
    const given = { zero, dataParallel: 64, masterWeights: true };
    expect(makePlan(modelOfCount(7.5e9), planSettings(given)).total).toBe(Math.ceil(zeroModelStates(7.5e9, zero, 64)));
  });

  test.each([
    ['fp32', 'adam', 16],
    ['pure-bf16', 'adamw', 8],
    ['bf16', 'adam8bit', 6],
    ['fp16', 'sgd-momentum', 8],
    ['fp32', 'sgd', 8],
  ] as const)('%s with %s takes %i bytes a parameter', (precision, optimizer, bytes) => {
    expect(makePlan(modelOfCount(1e9), planSettings({ precision, optimizer })).total).toBe(bytes * 1e9);
  });
});

/** The inventory of a layer and the table of the paper were written apart. */
describe('activations of a GPT layer', () => {
  const model = modelOfCount(22e9, { layers: 48, hidden: 6144, heads: 64, vocabulary: 51_200 });
  const cases: readonly (readonly [LayerCase, Partial<PlanSettings>])[] = [
    ['single', {}],
    ['tensor', { tensorParallel: 8 }],
    ['tensor + sequence', { tensorParallel: 8, sequenceParallel: true }],
    ['tensor + selective', { tensorParallel: 8, recompute: 'selective' }],
    ['tensor + sequence + selective', { tensorParallel: 8, sequenceParallel: true, recompute: 'selective' }],
  ];
  test.each(cases)('%s: as Korthikanti et al. count', (name, given) => {
    const settings = planSettings({ batch: 4, sequence: 2048, ...given });
    const { shape } = makePlan(model, settings);
    if (shape === undefined) throw new Error('no shape');
    const layer = evaluate(`s*b * (${layerFormula(shape, settings.recompute === 'none')})`, shapeValues(shape));
    const tensorParallel = settings.tensorParallel;
    expect(layer).toBe(layerActivations(name, { sequence: 2048, batch: 4, hidden: 6144, heads: 64, tensorParallel }));
  });

  it('full recomputation keeps the input of each layer, 2sbh', () => {
    const ends = 2 * 8192 * 8 + 8192 * 6144 + 2 * 2 * 8192 * 6144 + 4;
    const plan = makePlan(model, planSettings({ batch: 4, sequence: 2048, recompute: 'full' }));
    expect(bytesOf(plan, 'activations')).toBe(48 * 2 * 8192 * 6144 + ends);
  });

  it('the first of eight stages keeps eight micro-batches, the last one', () => {
    const stage = (number: number) =>
      bytesOf(
        makePlan(
          model,
          planSettings({ batch: 1, sequence: 2048, pipelineParallel: 8, stage: number, accumulate: 16, flash: true }),
        ),
        'activations',
      ) ?? 0;
    expect(stage(0) / stage(7)).toBeGreaterThan(7.5);
    expect(stage(0) / stage(4)).toBeCloseTo(2, 1);
  });
});

describe('settings', () => {
  test.each([
    [{ batch: 0 }, /^--batch: 0 is not usable/],
    [{ batch: 1.5 }, /^--batch: 1.5/],
    [{ sequence: -1 }, /^--seq: -1/],
    [{ dataParallel: 1e9 }, /^--dp/],
    [{ stage: 1 }, /^--stage: 1 is not usable with --pp 1/],
    [{ offload: 'optimizer' as const }, /^--offload: ZeRO offloads/],
    [{ offload: 'all' as const, zero: 2 as const }, /only stage 3 offloads parameters/],
    [{ masterWeights: true, precision: 'fp32' as const }, /^--master-weights/],
    [{ mode: 'lora' as const, zero: 3 as const }, /^--zero/],
    [{ weights: 'nf4' as const }, /^--weights nf4/],
  ])('%j is refused in one line', (given, message) => {
    expect(() => planSettings(given)).toThrow(message);
  });

  test.each([
    [{ tensorParallel: 5 }, /^--tp: 5 does not divide 12 heads/],
    [{ pipelineParallel: 5 }, /^--pp: 5 does not divide 12 layers/],
    [{ tensorParallel: 2, sequenceParallel: true, sequence: 255 }, /2 does not divide 255 tokens/],
    [{ sequence: 1025 }, /has positions for 1024 tokens/],
  ])('gpt2 with %j is refused in one line', (given, message) => {
    expect(() => gpt2(given)).toThrow(message);
  });

  it('takes the longest sequence and every degree that divides', () => {
    expect(
      gpt2({ sequence: 1024, tensorParallel: 4, pipelineParallel: 3, sequenceParallel: true }).shape,
    ).toBeDefined();
  });
});

describe('inference and adapters', () => {
  it('keeps 134 MB for 1,024 tokens of Llama 3.1 8B', () => {
    const llama = modelOfArchitecture(findArchitecture('llama-3.1-8b'));
    const plan = makePlan(llama, planSettings({ mode: 'inference', batch: 1, sequence: 1024 }));
    expect(bytesOf(plan, 'kv-cache')).toBe(134_217_728);
    expect(bytesOf(plan, 'gradients')).toBeUndefined();
  });

  it('stores the matrices of the layers in 4 bits, the embeddings as they were', () => {
    const llama = modelOfArchitecture(findArchitecture('llama-2-7b'));
    const plan = makePlan(llama, planSettings({ mode: 'inference', weights: 'nf4' }));
    const matrices = 32 * (4 * 4096 ** 2 + 3 * 4096 * 11_008);
    expect(bytesOf(plan, 'parameters')).toBe(matrices / 2 + 2 * (6_738_415_616 - matrices));
    // arXiv:2305.14314: double quantization takes 0.127 bits a parameter.
    expect((8 * (bytesOf(plan, 'quantization') ?? 0)) / matrices).toBeCloseTo(0.127, 3);
  });

  it('has gradients and moments of the adapters alone', () => {
    const llama = modelOfArchitecture(findArchitecture('llama-7b'));
    const plan = makePlan(llama, planSettings({ mode: 'lora' }));
    expect([bytesOf(plan, 'gradients'), bytesOf(plan, 'optimizer')]).toEqual([2 * 4_194_304, 8 * 4_194_304]);
  });
});

describe('a card', () => {
  it('the largest batch completes, one more does not', async () => {
    const plan = gpt2({ batch: undefined });
    const most = (await largestBatch(plan, caching, GiB(6))) ?? 0;
    expect(most).toBeGreaterThan(0);
    expect(fitsOn(gpt2({ batch: most }), caching, GiB(6))).toBe(true);
    expect(fitsOn(gpt2({ batch: most + 1 }), caching, GiB(6))).toBe(false);
  });

  it('tells why a step does not fit, and which changes would make it', async () => {
    const plan = gpt2({ batch: 16 });
    const replay = replayPlan(plan, caching, MiB(3700));
    if (typeof replay === 'string') throw new Error(replay);
    expect(replay.card?.result.outcome.status).toBe('out-of-memory');
    const { needed = 0, largestHole = 0 } = replay.card?.story ?? {};
    expect(needed).toBeGreaterThan(largestHole);
    const rows = await tryChanges(plan, caching, MiB(3700));
    expect(rows.length).toBe(changesFor(plan, caching).length);
    const fitting = rows.filter(({ fits }) => fits === true);
    expect(fitting.length).toBeGreaterThan(0);
    expect(rows.slice(0, fitting.length)).toEqual(fitting);
  });

  it('adds changes up where none is enough alone', async () => {
    const plan = gpt2({ batch: 16 });
    const [first] = await tryChanges(plan, caching, MiB(1450));
    expect(first?.change).toMatch(/^expandable_segments:True --flash /);
    // A change that a later one replaces is not named.
    expect(first?.change.match(/--recompute/g) ?? []).toHaveLength(
      first?.change.includes('--recompute') === true ? 1 : 0,
    );
    expect(first?.fits).toBe(true);
  });

  it('tries changes of a job that is too large for a replay', async () => {
    const plan = gpt2({ batch: 8192 });
    expect(isTooLarge(plan)).toBe(true);
    expect(replayPlan(plan, caching, GiB(80))).toMatch(/one device would need/);
    const rows = await tryChanges(plan, caching, GiB(80));
    expect(rows.find(({ fits }) => fits === true)?.change).toBe('--batch 32 --accumulate 256');
    expect(rows.find(({ change }) => change === '--flash')?.fits).not.toBe(true);
    // A step of many micro-batches is not made longer.
    const accumulating = changesFor(gpt2({ batch: 2, accumulate: 4096 }), caching);
    expect(accumulating.filter(({ change }) => change.startsWith('--batch'))).toEqual([]);
  });

  it('refuses what cannot be used whatever the size of the job', () => {
    const plan = gpt2({ batch: 8192, context: GiB(1) });
    expect(() => replayPlan(plan, caching, GiB(1))).toThrow(/less than context and NCCL take/);
    expect(() => replayPlan(plan, { name: 'caching', conf: 'bogus:1' }, GiB(80))).toThrow(/bogus/);
  });

  it('rests before each replay, and ends where the rest says so', async () => {
    let rests = 0;
    const rest = (most: number) => () => {
      rests += 1;
      return rests > most ? Promise.reject(new Error('enough')) : Promise.resolve();
    };
    const plan = gpt2({ batch: 16 });
    await tryChanges(plan, caching, MiB(3700), rest(Infinity));
    expect(rests).toBe(changesFor(plan, caching).length);
    await expect(tryChanges(plan, caching, MiB(3700), rest(rests + 2))).rejects.toThrow('enough');
    rests = 0;
    await expect(largestBatch(plan, caching, GiB(6), rest(3))).rejects.toThrow('enough');
    expect(rests).toBe(4);
  });

  it('takes the context from the card, and refuses one that it fills', () => {
    const plan = gpt2({ context: GiB(1) });
    const replay = replayPlan(plan, caching, GiB(6));
    if (typeof replay === 'string') throw new Error(replay);
    expect(replay.card?.available).toBe(GiB(5));
    expect(() => replayPlan(plan, caching, GiB(1))).toThrow(/less than context and NCCL take/);
  });

  it.each(['caching', 'bfc', 'direct', 'arena'])('replays on %s', (name) => {
    const replay = replayPlan(gpt2(), { name, conf: undefined }, GiB(6));
    if (typeof replay === 'string') throw new Error(replay);
    expect(replay.reconciliation.unexplained).toBe(0);
    expect(replay.card?.result.outcome.status).toBe('completed');
    expect(replay.needed.peakReserved).toBeGreaterThanOrEqual(replay.needed.peakAllocated);
  });

  it('has no replay where one device would need more than the models go to', () => {
    const plan = makePlan(modelOfArchitecture(findArchitecture('opt-175b')), planSettings({ batch: 1, sequence: 64 }));
    expect(replayPlan(plan, caching)).toMatch(/replays go up to 900 GiB/);
  });
});
