/**
 * Failures of the host's memory, which people meet as "out of memory", too: the kernel or a cluster kills the process, a
 * loader runs out of shared memory, NumPy or PyTorch's host allocator is refused. The GPU has nothing to do with them.
 */
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

const LESS_HOST_MEMORY = say`What takes host memory: data loader workers (each copies what the dataset holds), prefetch and pinned buffers, offloaded
    optimizer state, a checkpoint that every rank loads on the host (map_location, mmap=True, one rank after another).`;
const WATCH = say`Watch the resident set (ps, /proc/PID/status) and the limit of the container (memory.max, docker --memory, limits of the pod).`;

const size = (message: Message, key: string): string => {
  const found = message.sizes[key];
  return found === undefined ? say`an unknown size` : showSize(found.bytes);
};
const has = (message: Message, key: string): boolean => message.sizes[key] !== undefined;

/** In this order: the first form that a message has. */
const FORMS: readonly Form[] = [
  {
    test: /Memory cgroup out of memory|CONSTRAINT_MEMCG/,
    verdict: 'limit-set',
    why: (m) =>
      withResident(
        say`the kernel killed the process at the memory limit of its container or job (host memory, not the GPU's)`,
        m,
      ),
    advice: [
      say`Raise the limit of the container or job, or use less host memory; the machine's own memory is not the bound.`,
    ],
  },
  {
    test: /oom-kill:|Out of memory: Kill(?:ed)? process/,
    verdict: 'true-shortage',
    why: (m) => withResident(say`the kernel killed the process because the host ran out of memory (not the GPU)`, m),
    advice: [],
  },
  {
    test: /OOMKilled/,
    verdict: 'limit-set',
    why: () => say`the container passed the memory limit of its pod (host memory, not the GPU's)`,
    advice: [say`Raise resources.limits.memory; an emptyDir with medium Memory (/dev/shm) counts toward it.`],
  },
  {
    test: /oom[_-]kill event|Exceeded job memory limit|exceeded memory limit/i,
    verdict: 'limit-set',
    why: () => say`the job passed the memory that was asked for (--mem; host memory, not the GPU's)`,
    advice: [say`Ask for more with --mem or --mem-per-cpu; sacct -o MaxRSS shows what it took.`],
  },
  {
    test: /node running low on memory|memory usage threshold/,
    verdict: 'limit-set',
    why: (m) =>
      has(m, 'allocated_bytes') && has(m, 'capacity_bytes')
        ? say`Ray killed a worker because the node was over its memory threshold (${size(m, 'allocated_bytes')} of
            ${size(m, 'capacity_bytes')} in use): host memory, not the GPU's`
        : say`Ray killed a worker because the node was over its memory threshold: host memory, not the GPU's`,
    advice: [
      say`RAY_memory_usage_threshold sets the share; fewer tasks at once (num_cpus, max_concurrency) need less.`,
    ],
  },
  {
    test: /bus error|insufficient shared memory|No space left on device.{0,80}shm|unable to (?:mmap|write to file|open shared memory)/i,
    verdict: 'limit-set',
    why: () =>
      say`shared memory (/dev/shm) is full, through which loader workers hand over their batches: host memory, not that of the GPU`,
    advice: [
      say`Raise it: docker run --shm-size=8g or --ipc=host, a larger /dev/shm in the pod; or lower num_workers and prefetch_factor.`,
    ],
  },
  {
    test: /killed by signal: Killed|Signal 9 \(SIGKILL\)|exit(?:code|s with return code =)\s*:?\s*-9|exitcode: ?-9|exit code:? 137|exitcode\s*: -9|died with <Signals\.SIGKILL/i,
    verdict: 'unknown',
    why: () =>
      say`the process got SIGKILL and the text does not say from whom: most often the kernel, because host memory (not that of the GPU) was spent`,
    advice: [
      say`dmesg -T | grep -i -E "killed process|oom" on that machine says whether it was the kernel, and how much it held.`,
    ],
  },
  {
    test: /Unable to allocate .{1,40} for an array/,
    verdict: 'unknown',
    why: (m) =>
      say`NumPy was refused ${size(m, 'tried_bytes')} of host memory (not the GPU's); the text does not say what was left`,
    advice: [say`Read it in parts (np.memmap, chunks), or use a smaller type: float64 is twice float32.`],
  },
  {
    test: /DefaultCPUAllocator/,
    verdict: 'unknown',
    why: (m) =>
      say`this is host memory, not the GPU's: ${size(m, 'tried_bytes')} was refused by the operating system and the text does not say what was left`,
    advice: [say`Look at the memory limit of the container, at data loader workers and at pinned memory.`],
  },
];

const withResident = (why: string, m: Message): string =>
  has(m, 'resident_bytes') ? say`${why}: it held ${size(m, 'resident_bytes')} resident` : why;

export const host: TextFamily = {
  name: say`host memory`,
  anchor:
    /DefaultCPUAllocator: (?:can't allocate|not enough) memory|Memory cgroup out of memory|oom-kill:|Out of memory: Kill(?:ed)? process|\bOOMKilled\b|oom[_-]kill event|Exceeded job memory limit|node running low on memory|Unexpected bus error encountered in worker|insufficient shared memory|unable to (?:mmap|open shared memory|write to file)[^:]{0,80}: ?(?:Cannot allocate memory|No space left)|DataLoader worker \(pid [\d ]+\) is killed by signal: (?:Killed|Bus error)|Signal 9 \(SIGKILL\)|exits with return code = -9|exitcode ?: -9|exit code:? 137\b|Unable to allocate [\d.]+ ?[KMGTP]?i?B(?:ytes)? for an array|died with <Signals\.SIGKILL/gi,
  framework: (text) => (/DefaultCPUAllocator/.test(text.slice(0, 60)) ? 'pytorch-cpu' : 'host'),
  fields: [
    field('tried_bytes', 'you tried to allocate {int} bytes', 'bytes'),
    field('tried_bytes', 'Unable to allocate {size} for an array'),
    field('resident_bytes', 'anon-rss:{size}'),
    field('virtual_bytes', 'total-vm:{size}'),
    field('allocated_bytes', String.raw`running was {size} \/ `),
    field('capacity_bytes', String.raw`running was [\d.]+ ?[KMGT]?i?B \/ {size}`),
  ],
  judge(message) {
    const form = FORMS.find(({ test }) => test.test(message.text));
    if (form === undefined) {
      return plainly(
        'unknown',
        say`the text has no figures of host memory`,
        [say`1. figures: not in the text`, verdictStep('unknown')],
        [],
      );
    }
    const tried = message.sizes['tried_bytes'];
    return plainly(
      form.verdict,
      form.why(message),
      [
        tried === undefined
          ? say`1. size of the request: not in the text`
          : say`1. size of the request: ${showSize(tried.bytes)} of host memory`,
        verdictStep(form.verdict),
      ],
      [...form.advice, LESS_HOST_MEMORY, WATCH],
    );
  },
};
