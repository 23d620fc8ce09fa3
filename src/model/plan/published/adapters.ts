/** Low-rank adapters (LoRA, arXiv:2106.09685): two thin matrices beside each adapted one, r x in and out x r. */
import { type Module } from '../architecture/weights.js';

/** Parameters of the adapters of rank `rank` on the given matrices. */
export const adapterParameters = (modules: readonly Module[], rank: number): number =>
  modules.reduce((sum, { rows, columns }) => sum + rank * (rows + columns), 0);

/** Names of the matrices that are usually adapted, as people name the choice. */
export const ADAPTER_TARGETS = {
  qv: ['attention q', 'attention v'],
  attention: ['attention q', 'attention k', 'attention v', 'attention o'],
  all: ['attention q', 'attention k', 'attention v', 'attention o', 'gate', 'up', 'down'],
} as const;
export type AdapterTargets = keyof typeof ADAPTER_TARGETS;

/** Whether a module takes an adapter under the choice; cross attention counts as attention. */
export const isAdapted = ({ name }: Module, targets: AdapterTargets): boolean =>
  ADAPTER_TARGETS[targets].some((target) => name === target || name === `cross ${target}`);
