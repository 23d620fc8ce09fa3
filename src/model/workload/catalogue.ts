/** Every workload by name: what `vramlab trace --list` shows and what a screen offers. */
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { case13b } from './case13b/case13b.js';
import { churnBfc, churnPytorch, churnUniform } from './churn.js';
import { batchOrder, creepingSizes, resume, strandedHole, workspace } from './field-cases.js';
import { checkerboard, phases, pinning } from './fragment.js';
import { gradientBuckets } from './gradient-buckets.js';
import { kvCache } from './kv-cache.js';
import { layerBank } from './layer-bank.js';
import { lessonLoop } from './lesson-loop.js';
import { train } from './train.js';
import { evaluation, transformer } from './transformer.js';
import { type Workload } from './workload.js';
import { zero3Gather } from './zero3-gather.js';

export const WORKLOADS: readonly Workload[] = [
  case13b,
  lessonLoop,
  layerBank,
  train,
  transformer,
  evaluation,
  kvCache,
  gradientBuckets,
  zero3Gather,
  checkerboard,
  pinning,
  phases,
  strandedHole,
  workspace,
  batchOrder,
  resume,
  creepingSizes,
  churnUniform,
  churnPytorch,
  churnBfc,
];

/** The workload of that name. Throws `AppError` (`bad-input`) that names the known ones. */
export function findWorkload(id: string): Workload {
  const found = WORKLOADS.find((workload) => workload.id === id);
  if (found !== undefined) return found;
  const known = WORKLOADS.map((workload) => workload.id).join(', ');
  throw badInput('workload', say`no workload "${id}"; the known ones: ${known} (vramlab trace --list describes them)`);
}
