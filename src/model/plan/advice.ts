/**
 * What would make a plan fit: the largest batch, found by replays, and changes of the job, the cheapest first. Each is
 * tried on its own by a replay of the changed step; where none is enough alone they are taken together, one after the
 * other.
 */
import { say } from '../../base/said.js';
import { largestFitting } from '../execution/largest-batch.js';
import { makePlan, type Plan } from './plan.js';
import { fitsOn, type PlanAllocator, replayPlan } from './replay-plan.js';
import { planSettings, type PlanSettings } from './settings.js';

export interface Change {
  /** As it would be written. */
  readonly change: string;
  /** What it costs, and where that is from. */
  readonly cost: string;
  readonly settings?: Partial<PlanSettings>;
  readonly conf?: string;
}

export interface ChangeRow {
  readonly change: string;
  /** What each of its changes costs. */
  readonly costs: readonly string[];
  /** What it sets, for who takes it over. */
  readonly settings: Partial<PlanSettings>;
  /** The allocator's settings with it. */
  readonly conf: string | undefined;
  /** Undefined where the changed job cannot be replayed. */
  readonly fits: boolean | undefined;
  readonly peakAllocated: number | undefined;
  readonly peakReserved: number | undefined;
}

const MOST_SEQUENCES = 2 ** 16;

/** Called before each replay: a page draws and answers there. A rejection ends the work and is handed on. */
export type Rest = () => Promise<void>;
const noRest: Rest = () => Promise.resolve();

/** The largest micro-batch that completes on the card, 0 where not even one sequence does; undefined without a sequence. */
export async function largestBatch(
  plan: Plan,
  allocator: PlanAllocator,
  capacity: number,
  rest: Rest = noRest,
): Promise<number | undefined> {
  const { model, settings } = plan;
  if (model.architecture === undefined || settings.sequence === undefined) return undefined;
  return largestFitting(MOST_SEQUENCES, async (batch) => {
    await rest();
    return fitsOn(makePlan(model, { ...settings, batch }), allocator, capacity) ?? false;
  });
}

/** The changes that a job could still make, the cheapest first. */
export function changesFor({ settings, model }: Plan, allocator: PlanAllocator): Change[] {
  const { batch = 1, dataParallel, tensorParallel, zero, recompute, flash, mode, optimizer } = settings;
  const trains = mode === 'train';
  const changes: (Change | false)[] = [
    allocator.name === 'caching' &&
      allocator.conf !== EXPANDABLE && {
        change: EXPANDABLE,
        cost: say`nothing: an allocator setting`,
        conf: EXPANDABLE,
      },
    !flash && {
      change: '--flash',
      cost: say`nothing: fused attention is faster (arXiv:2205.14135)`,
      settings: { flash: true },
    },
    tensorParallel > 1 &&
      !settings.sequenceParallel &&
      model.architecture?.kind !== 'encoder-decoder' && {
        change: '--sequence-parallel',
        cost: say`nothing: as many bytes are sent as before (arXiv:2205.05198, section 4.2)`,
        settings: { sequenceParallel: true },
      },
    ...([1, 2] as const).map(
      (stage) =>
        trains &&
        dataParallel > 1 &&
        zero < stage && {
          change: `--zero ${stage}`,
          cost: say`nothing: as many bytes are sent as before (arXiv:1910.02054, section 7)`,
          settings: { zero: stage },
        },
    ),
    mode !== 'inference' &&
      recompute === 'none' &&
      !flash && {
        change: '--recompute selective',
        cost: say`2 to 3 % more compute (arXiv:2205.05198, section 5)`,
        settings: { recompute: 'selective' },
      },
    ...smallerBatches(batch, settings.accumulate).map(
      (fewer) =>
        mode !== 'inference' && {
          change: `--batch ${fewer} --accumulate ${Math.ceil(batch / fewer) * settings.accumulate}`,
          cost: say`smaller products of matrices, the same step`,
          settings: { batch: fewer, accumulate: Math.ceil(batch / fewer) * settings.accumulate },
        },
    ),
    mode === 'inference' &&
      batch > 1 && {
        change: `--batch ${Math.ceil(batch / 2)}`,
        cost: say`fewer sequences at a time`,
        settings: { batch: Math.ceil(batch / 2) },
      },
    trains &&
      (optimizer === 'adam' || optimizer === 'adamw') && {
        change: '--optimizer adam8bit',
        cost: say`moments in 8 bits (arXiv:2110.02861): check that the loss stays`,
        settings: { optimizer: 'adam8bit' },
      },
    trains &&
      dataParallel > 1 &&
      zero < 3 && {
        change: '--zero 3',
        cost: say`1.5 times the bytes sent (arXiv:1910.02054, section 7)`,
        settings: { zero: 3 },
      },
    mode !== 'inference' &&
      recompute !== 'full' && {
        change: '--recompute full',
        cost: say`30 to 40 % more compute (arXiv:2205.05198, section 1)`,
        settings: { recompute: 'full' },
      },
    trains &&
      settings.precision !== 'pure-bf16' &&
      !settings.masterWeights && {
        change: '--precision pure-bf16',
        cost: say`moments in 16 bits: small updates are lost`,
        settings: { precision: 'pure-bf16' },
      },
    trains &&
      settings.offload === 'none' && {
        change: zero === 0 ? '--zero 1 --offload optimizer' : '--offload optimizer',
        cost: say`the optimizer runs on the CPU (arXiv:2101.06840)`,
        settings: { zero: zero === 0 ? 1 : zero, offload: 'optimizer' },
      },
    !trains &&
      settings.weights === 'native' && {
        change: '--weights nf4',
        cost: say`weights in 4 bits (arXiv:2305.14314): check the quality`,
        settings: { weights: 'nf4' },
      },
    trains &&
      dataParallel === 1 && {
        change: '--zero 3 --dp 8',
        cost: say`eight devices`,
        settings: { zero: 3, dataParallel: 8 },
      },
    trains && {
      change: '--mode lora',
      cost: say`only adapters learn (arXiv:2106.09685)`,
      settings: { mode: 'lora', zero: 0, offload: 'none' },
    },
  ];
  return changes.filter((change) => change !== false);
}

/** Micro-batches of a step that is tried: its replay is as much longer. */
const MOST_MICRO_BATCHES = 256;

/** Half of a micro-batch, and as few sequences as the number of micro-batches allows: one of most jobs. */
const smallerBatches = (batch: number, accumulate: number): number[] => {
  const most = Math.floor(MOST_MICRO_BATCHES / accumulate);
  return [...new Set([Math.ceil(batch / 2), Math.ceil(batch / most)])].filter(
    (fewer) => fewer < batch && Math.ceil(batch / fewer) <= most,
  );
};

const EXPANDABLE = 'expandable_segments:True';

/**
 * Tries the changes one by one; where none fits alone, adds them up in their order until they do (a last row, "all of
 * these"). A job that is too large for a replay may have changes that are not.
 */
export async function tryChanges(
  plan: Plan,
  allocator: PlanAllocator,
  capacity: number,
  rest: Rest = noRest,
): Promise<ChangeRow[]> {
  const changes = changesFor(plan, allocator);
  const rows: ChangeRow[] = [];
  for (const change of changes) {
    await rest();
    rows.push(tryChange(plan, allocator, capacity, [change]));
  }
  if (rows.some(({ fits }) => fits === true)) return rank(rows);
  for (let count = 2; count <= changes.length; count++) {
    await rest();
    const row = tryChange(plan, allocator, capacity, withoutReplaced(changes.slice(0, count)));
    if (row.fits === true) return [row, ...rows];
  }
  return rows;
}

/** Changes without those whose every setting a later one sets again. */
const withoutReplaced = (changes: readonly Change[]): Change[] =>
  changes.filter(({ settings, conf }, i) => {
    const later = new Set(changes.slice(i + 1).flatMap((change) => Object.keys(change.settings ?? {})));
    return conf !== undefined || Object.keys(settings ?? {}).some((key) => !later.has(key));
  });

/** What fits first, in the order of cost; the rest after it. */
const rank = (rows: readonly ChangeRow[]): ChangeRow[] => [
  ...rows.filter(({ fits }) => fits === true),
  ...rows.filter(({ fits }) => fits !== true),
];

function tryChange(plan: Plan, allocator: PlanAllocator, capacity: number, changes: readonly Change[]): ChangeRow {
  const set = changes.reduce<Partial<PlanSettings>>((sum, change) => ({ ...sum, ...change.settings }), {});
  const settings = planSettings({ ...plan.settings, ...set });
  const conf = changes.find((change) => change.conf !== undefined)?.conf ?? allocator.conf;
  const replay = replayPlan(makePlan(plan.model, settings), { ...allocator, conf }, capacity);
  const name = {
    change: changes.map(({ change }) => change).join(' '),
    costs: changes.map(({ cost }) => cost),
    settings: set,
    conf,
  };
  if (typeof replay === 'string')
    return { ...name, fits: undefined, peakAllocated: undefined, peakReserved: undefined };
  return {
    ...name,
    fits: replay.card?.result.failures === 0,
    peakAllocated: replay.needed.peakAllocated,
    peakReserved: replay.needed.peakReserved,
  };
}
