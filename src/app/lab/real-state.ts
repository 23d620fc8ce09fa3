/** Both sides on real buffers: what was predicted, what the device did, and whether they agree. */
import * as v from 'valibot';
import { type AdapterFacts } from '../../model/report/schema.js';
import { type TrainEvent, type TrainPlanFacts, type TrainReached, type TrainResult } from '../../engine/protocol.js';

export type RealSide =
  | { readonly kind: 'not-run' }
  | { readonly kind: 'running'; readonly plan: TrainPlanFacts | undefined; readonly reached: TrainReached | undefined }
  /** `adapter`: what carried it out. */
  | { readonly kind: 'done'; readonly facts: RealFacts; readonly adapter: AdapterFacts }
  /** The program cannot be carried out, or it was stopped; `words` say why. */
  | { readonly kind: 'none'; readonly words: string };

/** The figures of `train/...` that the panel shows. */
const factsSchema = v.object({
  predicted: v.picklist(['completed', 'out-of-memory']),
  outcome: v.picklist(['completed', 'out-of-memory']),
  met: v.boolean(),
  corruptWords: v.number(),
  checkedWords: v.number(),
  segmentsPredicted: v.number(),
  segmentsCreated: v.number(),
  refusalsPredicted: v.number(),
  refusalsMet: v.number(),
  scale: v.number(),
  scaling: v.string(),
  budgetBytes: v.number(),
  createBufferCalls: v.number(),
  createNs: v.number(),
  movedBytes: v.number(),
  agrees: v.boolean(),
  why: v.optional(v.string()),
  replans: v.optional(v.array(v.unknown())),
  stepWallNs: v.optional(v.number()),
});
export type RealFacts = v.InferOutput<typeof factsSchema>;

/** A side after an event of its run. */
export function withTrainEvent(side: RealSide, event: TrainEvent): RealSide {
  if (side.kind !== 'running') return side;
  switch (event.kind) {
    case 'environment':
      return side;
    case 'planned':
      return { ...side, plan: event.plan };
    case 'reached':
      return { ...side, reached: event.reached };
  }
}

/** The end of a run. An experiment that was skipped says why. */
export function realResult({ experiment, environment }: TrainResult): RealSide {
  const facts = v.safeParse(factsSchema, experiment);
  if (facts.success) return { kind: 'done', facts: facts.output, adapter: environment.adapter };
  return { kind: 'none', words: experiment.reason ?? '' };
}

/** Rows of the table: a label's key, both values, and whether they agree. */
export interface RealRow {
  readonly key:
    | 'segments-predicted'
    | 'segments-created'
    | 'outcome-predicted'
    | 'outcome-met'
    | 'refusals-met'
    | 'corrupt'
    | 'checked'
    | 'creates'
    | 'create-mean'
    | 'step';
  readonly agrees: boolean | undefined;
  readonly value: number | string | undefined;
}

export function realRows(facts: RealFacts): readonly RealRow[] {
  const { segmentsPredicted, segmentsCreated, predicted, outcome, refusalsPredicted, refusalsMet } = facts;
  return [
    { key: 'segments-predicted', value: segmentsPredicted, agrees: undefined },
    { key: 'segments-created', value: segmentsCreated, agrees: segmentsCreated === segmentsPredicted && facts.agrees },
    { key: 'outcome-predicted', value: predicted, agrees: undefined },
    { key: 'outcome-met', value: outcome, agrees: outcome === predicted },
    { key: 'refusals-met', value: refusalsMet, agrees: refusalsMet === refusalsPredicted },
    { key: 'corrupt', value: facts.corruptWords, agrees: facts.corruptWords === 0 },
    { key: 'checked', value: facts.checkedWords, agrees: undefined },
    { key: 'creates', value: facts.createBufferCalls, agrees: undefined },
    {
      key: 'create-mean',
      value: facts.createBufferCalls === 0 ? undefined : facts.createNs / facts.createBufferCalls,
      agrees: undefined,
    },
    { key: 'step', value: facts.stepWallNs, agrees: undefined },
  ];
}
