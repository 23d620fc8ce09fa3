/** The proof that a wrong placement is found: one tensor is moved 256 bytes into its neighbour on purpose. */
import { say } from '../../base/said.js';
import { planExecution } from '../../model/execution/plan.js';
import { neighboursOf, plantOverlap } from '../../model/execution/overlap.js';
import { scaleTrace } from '../../model/execution/scale.js';
import { traceOfLoop, variantsFor } from '../../model/execution/variants.js';
import { experimentResult, type Job } from '../suite.js';
import { type TrainLab } from './train-lab.js';

const ID = 'train/planted-overlap';
/** Training steps of the loop: enough for tensors to come and go. */
const STEPS = 2;

/** `measured` where exactly the planted words are found, in the block that was written over. */
export function overlapJob(lab: TrainLab): Job {
  return {
    id: ID,
    suite: 'train',
    kind: 'experiment',
    measures: '',
    run: async (context) => {
      const [variant] = variantsFor(context.request.preset);
      if (variant === undefined) throw new Error('there is no variant');
      const short = lab.shortfall(variant.loop.capacity);
      if (short !== undefined) return experimentResult({ id: ID, suite: 'train', status: 'skipped', reason: short });
      const loop = { ...variant.loop, parameters: { ...variant.loop.parameters, steps: STEPS } };
      const plan = planExecution(scaleTrace(traceOfLoop(loop), loop.capacity, lab.budgetBytes), variant.placement);
      const planted = plantOverlap(plan);
      if (planted === undefined) throw new Error('no two neighbours in this plan');
      const { corruptions, checkedWords } = await lab.execute(context, planted.plan);
      const words = corruptions.reduce((sum, corruption) => sum + corruption.words, 0);
      const found = corruptions.find(({ tensor }) => tensor === planted.victim);
      const expected = planted.bytes / 4;
      const isFound = found?.words === expected && words === expected;
      return experimentResult({
        id: ID,
        suite: 'train',
        variant: variant.id,
        ...(isFound
          ? { status: 'measured' as const }
          : { status: 'failed' as const, reason: say`${expected} words were written over, ${words} were found` }),
        plantedBytes: planted.bytes,
        plantedBlock: plan.tensors[planted.moved]?.name,
        foundWords: words,
        checkedWords,
        ...(found === undefined
          ? {}
          : {
              block: plan.tensors[found.tensor]?.name,
              firstWord: found.firstWord,
              ...neighboursOf(planted.plan, found.tensor, found.step),
            }),
      });
    },
  };
}
