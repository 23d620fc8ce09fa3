/** ONNX Runtime's arena. */
import { say } from '../../../../base/said.js';
import { verdictStep } from '../../steps.js';
import { type TextFamily, plainly } from '../family.js';
import { field } from '../fields.js';
import { showSize } from '../printed-size.js';

/** More than any accelerator holds: a shape that was computed wrong. */
const BEYOND_ANY_DEVICE = 2 ** 44;

export const onnxRuntime: TextFamily = {
  name: say`onnxruntime`,
  anchor:
    /Failed to allocate memory for requested buffer of size [0-9]|Available memory of [0-9]+ is smaller than requested bytes of/g,
  framework: 'onnxruntime',
  fields: [
    field('tried_bytes', 'requested buffer of size {int}', 'bytes'),
    field('tried_bytes', 'requested bytes of {int}', 'bytes'),
    field('available_bytes', 'Available memory of {int}', 'bytes'),
  ],
  judge({ sizes }) {
    const tried = sizes['tried_bytes'];
    const available = sizes['available_bytes'];
    const size = showSize(tried?.bytes ?? 0);
    const steps = [say`1. size of the request: ${size}`];
    if (tried !== undefined && tried.bytes > BEYOND_ANY_DEVICE) {
      return plainly(
        'unknown',
        say`${size} is no size that a model can want: a dimension or shape was computed wrong before memory was asked for`,
        [...steps, say`2. more than any device holds: yes`, verdictStep('unknown')],
        [say`Check the input shape and dynamic axes.`],
      );
    }
    if (available !== undefined) {
      return plainly(
        'limit-set',
        say`the arena's limit is spent: ${showSize(available.bytes)} is left of it for a request of ${size}`,
        [...steps, say`2. available under the arena's limit: ${showSize(available.bytes)}`, verdictStep('limit-set')],
        [
          say`Raise gpu_mem_limit of the CUDA provider, or set arena_extend_strategy to kSameAsRequested: the default doubles each extension.`,
        ],
      );
    }
    return plainly(
      'unknown',
      say`only the request (${size}) is printed`,
      [...steps, say`2. what the arena and the device hold: not in the text`, verdictStep('unknown')],
      [
        say`Set arena_extend_strategy to kSameAsRequested and cudnn_conv_use_max_workspace to 0, and look at nvidia-smi at the same moment.`,
      ],
    );
  },
};
