/** WebGPU and ONNX Runtime Web: limits, bindings, refused mappings, lost devices, the 4 GiB heap of WebAssembly. */
import { say } from '../../../../base/said.js';
import { verdictStep } from '../../steps.js';
import { type Judged, type Message, type TextFamily, plainly } from '../family.js';
import { field } from '../fields.js';
import { showSize } from '../printed-size.js';

interface Form {
  readonly test: RegExp;
  readonly verdict: Judged['verdict'];
  readonly why: (message: Message) => string;
  readonly advice: readonly string[];
}

const size = (message: Message, key: string): string => {
  const found = message.sizes[key];
  return found === undefined ? say`an unknown size` : `${showSize(found.bytes)} (${found.bytes} B)`;
};

/** In this order: the first form that a text has. */
const FORMS: readonly Form[] = [
  {
    test: /exceeds the max(?:imum)? buffer size|exceeds the maximum buffer size/i,
    verdict: 'limit-set',
    why: overMaxBufferSize,
    advice: [
      say`Ask for it: requestDevice({ requiredLimits: { maxBufferSize: adapter.limits.maxBufferSize } }). Without that a device
        has the default 256 MiB, whatever the adapter can do.`,
      say`Where even the adapter has less, split the data over several buffers.`,
    ],
  },
  {
    test: /larger than the maximum (?:storage |uniform )?(?:buffer )?binding size|exceeds? .{0,40}BufferBindingSize/i,
    verdict: 'limit-set',
    why: (m) =>
      say`a binding of ${size(m, 'tried_bytes')} is over the limit of ${size(m, 'limit_bytes')} for one binding`,
    advice: [
      say`Ask for maxStorageBufferBindingSize (default 128 MiB) and maxBufferSize together in requiredLimits, or bind parts of
        the buffer with an offset.`,
    ],
  },
  {
    test: /Required limit \([0-9]+\) is greater than the supported limit/,
    verdict: 'limit-set',
    why: (m) => say`the program requires ${size(m, 'tried_bytes')} and this adapter supports ${size(m, 'limit_bytes')}`,
    advice: [
      say`Read adapter.limits first and ask for at most what it gives; load a smaller or more quantised model here.`,
    ],
  },
  {
    test: /outside the 'unsigned long long' value range|outside the range of unsigned long long/,
    verdict: 'unknown',
    why: () =>
      say`the size that was passed is no number (NaN or negative): it was computed wrong before memory was asked for`,
    advice: [say`Check the shape that the size comes from.`],
  },
  {
    test: /RangeError/,
    verdict: 'unknown',
    why: () =>
      say`mapping or mapped creation was refused with a RangeError: the size is no multiple of 4, or the process has no
        address space or host memory for the mapping; after a lost device the same text means only that it is lost`,
    advice: [
      say`Create without mappedAtCreation and write with writeBuffer in pieces; check whether device.lost fired before.`,
    ],
  },
  {
    test: /std::bad_alloc|memory access out of bounds|Cannot enlarge memory|WebAssembly\.Memory/,
    verdict: 'limit-set',
    why: () => say`the WebAssembly heap (4 GiB at most) is full, not the GPU`,
    advice: [
      say`Keep weights as external data, free the session before the next one, use a smaller or more quantised model.`,
    ],
  },
  {
    test: /Aborted\(\)/,
    verdict: 'unknown',
    why: () => say`a WebAssembly module aborted and the text has no figures`,
    advice: [say`Build with assertions, or look at the console lines before it.`],
  },
  {
    test: /VK_ERROR_OUT_OF_DEVICE_MEMORY|E_OUTOFMEMORY|GPUOutOfMemoryError|device error ?\(2\)|Out of memory|Not enough memory left/i,
    verdict: 'unknown',
    why: () =>
      say`the driver refused an allocation and the text prints neither the size nor what was free: WebGPU does not tell how
        much memory a device has`,
    advice: [
      say`Put every allocation inside an out-of-memory error scope, log its size, and stop using a buffer that failed: work
        that goes on gives garbage.`,
    ],
  },
  {
    test: /device (?:was |is )?(?:lost|hung|removed)|DXGI_ERROR_DEVICE|Device lost/i,
    verdict: 'unknown',
    why: () =>
      say`the device was lost; running out of memory is one cause, a kernel that took too long or a driver reset are others`,
    advice: [
      say`Await device.lost and read its message; make a new adapter and device, drop every object of the old one.`,
    ],
  },
];

function overMaxBufferSize(message: Message): string {
  const over = say`a buffer of ${size(message, 'tried_bytes')} is over the device's maxBufferSize of ${size(message, 'limit_bytes')}`;
  const tried = message.sizes['tried_bytes'];
  const adapter = message.sizes['adapter_limit_bytes'];
  if (adapter === undefined) return over;
  const given = size(message, 'adapter_limit_bytes');
  if (tried === undefined) return say`${over}; the adapter can give ${given}`;
  return tried.bytes <= adapter.bytes
    ? say`${over}; the adapter can give ${given}, which is enough`
    : say`${over}; the adapter can give ${given}, which is not enough either`;
}

export const webgpu: TextFamily = {
  name: say`webgpu`,
  anchor:
    /Buffer size \([0-9]+\) exceeds|Binding size \([0-9]+\)|Required limit \([0-9]+\) is greater|GPUBufferDescriptor|vkAllocateMemory failed|GPUOutOfMemoryError|WebGPU device (?:error|was lost|lost)|Device (?:was )?lost|DXGI_ERROR_DEVICE_\w+|VK_ERROR_OUT_OF_DEVICE_MEMORY|Can't create a session|Aborted\(\)|RangeError[^.]{0,160}(?:createBuffer|mappedAtCreation|getMappedRange|Array buffer allocation|buffer)|mappedAtCreation/gi,
  framework: 'webgpu',
  fields: [
    field('tried_bytes', String.raw`Buffer size \({int}\)`, 'bytes'),
    field('tried_bytes', String.raw`Binding size \({int}\)`, 'bytes'),
    field('tried_bytes', String.raw`Required limit \({int}\)`, 'bytes'),
    field('tried_bytes', String.raw`size \({int}\) is too large`, 'bytes'),
    field('limit_bytes', String.raw`max(?:imum)? buffer size(?: limit)? \({int}\)`, 'bytes'),
    field('limit_bytes', String.raw`binding size \({int}\)`, 'bytes'),
    field('limit_bytes', String.raw`supported limit \({int}\)`, 'bytes'),
    field('adapter_limit_bytes', 'higher max[A-Za-z]+ of {int}', 'bytes'),
  ],
  judge(message) {
    const form = FORMS.find(({ test }) => test.test(message.text));
    if (form === undefined) {
      return plainly(
        'unknown',
        say`the text has no figures`,
        [say`1. figures: not in the text`, verdictStep('unknown')],
        [],
      );
    }
    const why = form.why(message);
    return plainly(form.verdict, why, [say`1. ${why}`, verdictStep(form.verdict)], form.advice);
  },
};
