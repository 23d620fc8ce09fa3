/** Memory inside a multiprocessor: a kernel that wants more shared memory than the hardware has. No allocator is involved. */
import { say } from '../../../../base/said.js';
import { verdictStep } from '../../steps.js';
import { type TextFamily, plainly } from '../family.js';
import { field } from '../fields.js';
import { showSize } from '../printed-size.js';

export const kernels: TextFamily = {
  name: say`shared memory of a kernel`,
  anchor: /out of resources?: ?(?:shared memory|tensor memory|triton_\w{1,60})|uses too much shared data/g,
  framework: 'triton',
  fields: [
    field('tried_bytes', 'Required: ?{int}', 'bytes'),
    field('limit_bytes', 'Hardware limit: ?{int}', 'bytes'),
    field('tried_bytes', String.raw`\({hex} bytes, 0x[0-9a-f]+ max\)`),
    field('limit_bytes', String.raw`bytes, {hex} max\)`),
  ],
  judge({ sizes: { tried_bytes: tried, limit_bytes: limit } }) {
    const need = tried === undefined ? say`more` : showSize(tried.bytes);
    const most = limit === undefined ? say`the hardware has` : showSize(limit.bytes);
    return plainly(
      'limit-set',
      limit === undefined
        ? say`a kernel wants ${need} of shared memory in a block and the hardware has less: it is on-chip memory, the memory of
            the device is not short`
        : say`a kernel wants ${need} of shared memory in a block and the hardware has ${most}: it is on-chip memory, the memory
            of the device is not short`,
      [say`1. shared memory wanted ${need} > hardware limit ${most}: yes`, verdictStep('limit-set')],
      [
        say`Smaller blocks (BLOCK_M, BLOCK_N, BLOCK_K), fewer stages (num_stages) or a narrower type need less; a kernel tuned for
          another card (A100 163 KiB, H100 227 KiB, RTX 30 and 40 99 KiB a block) needs its configuration of this one.`,
      ],
    );
  },
};
