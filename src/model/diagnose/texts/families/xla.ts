/** XLA: JAX on GPUs and TPUs, whose compiler plans most of a program's memory ahead. */
import { say } from '../../../../base/said.js';
import { verdictStep } from '../../steps.js';
import { type TextFamily, plainly } from '../family.js';
import { field } from '../fields.js';
import { showSize } from '../printed-size.js';

export const jax: TextFamily = {
  name: say`jax`,
  anchor:
    /RESOURCE_EXHAUSTED: (?:Out of memory|Failed to allocate|Error loading program|XLA:TPU|Ran out of memory|Attempting to (?:allocate|reserve))[^"]{0,20}/g,
  framework: 'jax',
  fields: [
    field('tried_bytes', String.raw`while trying to allocate {int} bytes`, 'bytes'),
    field('tried_bytes', 'Out of memory allocating {int} bytes', 'bytes'),
    field('tried_bytes', 'Failed to allocate {int} bytes', 'bytes'),
    field('tried_bytes', String.raw`Failed to allocate request for [0-9.]+ ?[KMGT]i?B \({int}B\)`, 'bytes'),
    field('tried_bytes', 'while trying to allocate {size}'),
    field('tried_bytes', '(?:Failed to allocate request for|Attempting to (?:allocate|reserve)) {size}'),
    field('tried_bytes', 'Used {size} of [0-9.]+ ?[KMGT]'),
    field('capacity_bytes', 'Used [0-9.]+ ?[KMGT]i?B? of {size}'),
    field('exceeded_bytes', 'Exceeded [a-z]+ capacity by {size}'),
    field('free_bytes', '{size} free'),
    field('device', 'device ordinal {int}'),
    field('parameter_bytes', 'parameter allocation: ?{size}'),
    field('temporary_bytes', 'preallocated temp allocation: ?{size}'),
    field('program_bytes', ' total allocation: ?{size}'),
  ],
  judge({ sizes }) {
    const tried = sizes['tried_bytes'];
    const capacity = sizes['capacity_bytes'];
    const free = sizes['free_bytes'];
    const advice = [
      say`XLA_PYTHON_CLIENT_PREALLOCATE=false stops the up-front pool (75 % of the device by default);
        XLA_PYTHON_CLIENT_MEM_FRACTION sets its size; XLA_PYTHON_CLIENT_ALLOCATOR=platform allocates piece by piece (slow).`,
      say`A second JAX process on the same device finds only what the first left: nvidia-smi shows the pool, not its use.`,
    ];
    if (tried === undefined)
      return plainly(
        'unknown',
        say`the text does not say how much was asked for`,
        [say`1. size of the request: not in the text`, verdictStep('unknown')],
        advice,
      );
    const steps = [say`1. size of the request: ${showSize(tried.bytes)}`];
    if (capacity !== undefined && tried.bytes > capacity.bytes) {
      return plainly(
        'true-shortage',
        say`the program needs ${showSize(tried.bytes)} and the device has ${showSize(capacity.bytes)}`,
        [...steps, say`2. request > capacity ${showSize(capacity.bytes)}: yes`, verdictStep('true-shortage')],
        advice,
      );
    }
    if (free !== undefined && tried.bytes > free.bytes) {
      return plainly(
        'true-shortage',
        say`${showSize(free.bytes)} is free, less than the ${showSize(tried.bytes)} asked for`,
        [...steps, say`2. free ${showSize(free.bytes)} >= request: no`, verdictStep('true-shortage')],
        advice,
      );
    }
    return plainly(
      'unknown',
      say`only the request (${showSize(tried.bytes)}) is printed: neither the pool's size nor what was free`,
      [...steps, say`2. pool size and free memory: not in the text`, verdictStep('unknown')],
      advice,
    );
  },
};
