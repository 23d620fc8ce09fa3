/** What is neither state nor activation: temporaries, workspaces, communication, key-value cache, context. */
import { formatNumber } from '../../../base/format.js';
import { say } from '../../../base/said.js';
import { type Values } from '../formula.js';
import { NCCL_CONNECTION } from '../published/nccl.js';
import { adapterElements, type Rank } from '../rank.js';
import { gradientBytesOf, type PlanSettings, weightBytes } from '../settings.js';
import { type StepShape, shapeValues } from '../shape.js';
import { type Term, term, unknownTerm } from '../term.js';
import { CUBLAS_WORKSPACE } from './workspace.js';
import {
  inferenceMoments,
  largestMoment,
  type Moment,
  momentValues,
  OPTIMIZER_STEP,
  trainingMoments,
} from './moments.js';

/** The moment of the step that has most temporaries. */
export function temporariesTerm(shape: StepShape): Term {
  const { rank, settings } = shape;
  const whole = settings.mode === 'lora' ? adapterElements(rank, settings) : rank.elements;
  const stepped = settings.zero === 0 ? whole : Math.ceil(whole / settings.dataParallel);
  const values = momentValues(shape, stepped);
  const moments = settings.mode === 'inference' ? inferenceMoments(shape) : trainingMoments(shape);
  const { when, formula } = largestMoment(moments, values);
  const isStep = when === OPTIMIZER_STEP;
  return term({
    id: 'temporaries',
    formula,
    values,
    source: say`tensors that are alive together at the widest moment: ${when}`,
    grows: { batch: !isStep, sequence: isStep ? 'no' : formula.includes('S') ? 'quadratic' : 'linear' },
    shrinks: isStep
      ? ['--optimizer-step fused', say`a larger --dp`]
      : [say`a smaller --batch or --seq`, '--tp', ...(settings.flash ? [] : ['--flash'])],
  });
}

/** cuBLAS's workspace, taken at the first product of matrices. */
export const workspaceTerm = (): Term =>
  term({
    id: 'workspace',
    formula: '2 * 4096 * 1024 + 8 * 16 * 1024',
    values: { workspace: CUBLAS_WORKSPACE },
    source: say`PyTorch: CUBLAS_WORKSPACE_CONFIG=:4096:2:16:8, one handle and stream; 32 MiB on Hopper`,
  });

/** Reduce buckets, gathered weights, states over the whole sequence; undefined where one device needs none. */
export function communicationTerm(rank: Rank, settings: PlanSettings, shape: StepShape | undefined): Term | undefined {
  const { mode, zero, dataParallel, bucket } = settings;
  const trains = mode === 'train' && dataParallel > 1;
  const width = weightBytes(settings);
  const stays = !trains ? [] : zero === 0 ? [`${gradientBytesOf(settings)} * Pd`] : [`${width} * min(B, Pd)`];
  const moments = shape === undefined ? [] : communicationMoments(shape);
  if (stays.length === 0 && moments.length === 0) return undefined;
  const values: Values = {
    ...(shape === undefined ? {} : shapeValues(shape)),
    ...gatherValues(rank, settings),
    Pd: rank.elements,
    B: bucket,
  };
  const { formula, when } = largestMoment(moments, values);
  const buckets =
    zero === 0
      ? say`DistributedDataParallel's buckets, a second copy of the gradients`
      : say`DeepSpeed's reduce bucket, ${formatNumber(bucket)} elements`;
  const gathered = say`gathered states or weights at their widest: ${when}`;
  return term({
    id: 'communication',
    formula: [...stays, ...(formula === '0' ? [] : [`(${formula})`])].join(' + '),
    values,
    source: !trains
      ? gathered
      : formula === '0'
        ? buckets
        : say`${buckets}; gathered states or weights at their widest: ${when}`,
    grows: formula.includes('Hs') ? { batch: true, sequence: 'linear' } : { batch: false, sequence: 'no' },
    shrinks: trains ? [zero === 0 ? 'gradient_as_bucket_view=True' : say`a smaller --bucket`] : [],
  });
}

/** What is gathered together: whole weights of groups (ZeRO-3, one group ahead), states over the sequence. */
function communicationMoments({ rank, settings, gathers }: StepShape): Moment[] {
  const sequence = (count: number) => (gathers ? ` + ${count}*Hs` : '');
  const backward = settings.mode === 'inference' ? 1 : 3;
  if (!(settings.zero === 3 && settings.dataParallel > 1)) {
    return gathers ? [{ when: say`backward of attention`, formula: `${backward}*Hs` }] : [];
  }
  const layers = rank.groups.filter(({ part }) => part === 'layer').length;
  const next = layers > 1 ? '2*Gl' : 'Gl';
  return [
    ...(rank.isFirst
      ? [
          { when: say`weights of the embedding arrive`, formula: '2*Ge' },
          { when: say`embedding`, formula: `Ge + Gl${sequence(1)}` },
        ]
      : []),
    { when: say`weights of a layer arrive`, formula: '2*Gl' },
    { when: say`backward of a layer`, formula: `${next}${sequence(backward)}` },
    ...(rank.isLast
      ? [
          { when: say`last layer`, formula: `Gl + Gh${sequence(1)}` },
          { when: say`weights of the output layer arrive`, formula: '2*Gh' },
          { when: say`output layer`, formula: `Gh + Gl${sequence(2)}` },
        ]
      : []),
  ];
}

function gatherValues(rank: Rank, settings: PlanSettings): Values {
  const width = weightBytes(settings);
  const most = (part: 'embedding' | 'layer' | 'head') =>
    width * Math.max(0, ...rank.groups.filter((group) => group.part === part).map(({ elements }) => elements));
  return { Ge: most('embedding'), Gl: most('layer'), Gh: most('head') + width * rank.sharedTokens };
}

/** The key-value cache: prompt and generated tokens of every sequence. */
export function cacheTerm(shape: StepShape): Term | undefined {
  const { settings, architecture, rank } = shape;
  if (settings.mode !== 'inference' || architecture.kind !== 'decoder') return undefined;
  const L = rank.groups.filter(({ part }) => part === 'layer').length;
  return term({
    id: 'kv-cache',
    formula: `2 * ${shape.width} * L*k*d * b * (s + o)`,
    values: { ...shapeValues(shape), L, o: settings.outputTokens },
    source: say`a key and a value for each layer, key-value head and token (arXiv:2309.06180, section 3)`,
    grows: { batch: true, sequence: 'linear' },
    shrinks: ['--tp', say`fewer tokens or sequences`, say`an fp8 cache`],
  });
}

/** NCCL's channels; undefined on one device. */
export function ncclTerm({ dataParallel, tensorParallel, pipelineParallel, channels }: PlanSettings): Term | undefined {
  if (dataParallel * tensorParallel * pipelineParallel === 1) return undefined;
  const formula = `C * 2 * ${NCCL_CONNECTION}`;
  const source = say`NCCL: Simple 4 MiB, LL 512 KiB and LL128 4.6875 MiB a channel, to the neighbours of a ring`;
  if (channels === undefined) {
    const measured = say`depends on channels and topology: give --nccl-channels; 544 to 688 MB were measured (NVIDIA/nccl#964)`;
    return unknownTerm('nccl', formula, measured, source, false);
  }
  return term({
    id: 'nccl',
    formula,
    values: { C: channels },
    source,
    inCache: false,
    shrinks: ['NCCL_MAX_NCHANNELS, NCCL_BUFFSIZE'],
  });
}

/** CUDA context and library handles: measured, never computed. */
export function contextTerm({ context }: PlanSettings): Term {
  const source = say`measured by stas00/ml-engineering: 0.47 to 1.78 GiB by version and card`;
  if (context === undefined) {
    return unknownTerm(
      'context',
      say`measured on the card`,
      say`depends on driver, card and kernels loaded: give --context, such as 900MiB`,
      source,
      false,
    );
  }
  return term({ id: 'context', formula: 'context', values: { context }, source: say`given`, inCache: false });
}
