/** A side of the Lab as a request to the GPU. */
import { msg, str } from '@lit/localize';
import { type TrainRequest } from '../../engine/protocol.js';
import { allocatorWords } from './lab-words.js';
import { type PlannedSide } from './lab-plan.js';

type Placement = TrainRequest['placement'];

/** Allocators that have a counterpart on real buffers. */
const PLACEMENTS: ReadonlyMap<string, Placement> = new Map<string, Placement>([
  ['caching', 'caching'],
  ['direct', 'direct'],
  ['arena', 'arena'],
  ['cache-bucket', 'cache-bucket'],
  ['cache-exact', 'cache-exact'],
  ['cache-tfjs', 'cache-tfjs'],
]);

export type RealRequest =
  | { readonly status: 'usable'; readonly request: TrainRequest }
  /** No device can carry this side out; `words` say why. */
  | { readonly status: 'refused'; readonly words: string };

/** The request; `traceText` is the program as a file where it is no workload. */
export function realRequest(
  { program, setup }: PlannedSide,
  { budgetBytes, traceText }: { readonly budgetBytes: number; readonly traceText: string },
): RealRequest {
  const placement = PLACEMENTS.get(setup.name);
  if (placement === undefined) {
    const allocator = allocatorWords(setup.name);
    return {
      status: 'refused',
      words: msg(str`${allocator} has no counterpart on real buffers.`, {
        desc: 'real buffers: why a side cannot run',
      }),
    };
  }
  const conf = setup.conf ?? '';
  return {
    status: 'usable',
    request: {
      program:
        program.kind === 'trace'
          ? { kind: 'trace', name: program.trace.name, text: traceText }
          : { kind: 'workload', workload: program.workload, parameters: program.parameters },
      placement,
      ...(placement === 'caching' && conf !== '' ? { conf } : {}),
      capacityBytes: setup.capacity,
      budgetBytes,
      seed: 1,
      adapter: 'any',
    },
  };
}
