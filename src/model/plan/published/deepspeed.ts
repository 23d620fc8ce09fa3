/**
 * DeepSpeed's estimators of model states (parameters, gradients, optimizer states; no activations, no context, no
 * fragmentation): `estimate_zero2_model_states_mem_needs` and `estimate_zero3_model_states_mem_needs`. Facts read in
 * deepspeed/runtime/zero/stage_1_and_2.py, stage3.py and docs/code-docs/source/memory.rst. Printed GB are 2^30.
 *
 *     zero3States({ parameters: 2851e6, largestLayer: 32e6, gpusPerNode: 8, nodes: 1 }); // six rows
 */
export interface DeepSpeedInput {
  readonly parameters: number;
  /** ZeRO-3: parameters of the module that has most. */
  readonly largestLayer: number;
  readonly gpusPerNode: number;
  readonly nodes: number;
  /** Head room on the CPU: 1.5 in DeepSpeed. */
  readonly bufferFactor?: number;
}

export interface DeepSpeedRow {
  readonly options: string;
  readonly cpuBytes: number;
  readonly gpuBytes: number;
}

const BUFFER_FACTOR = 1.5;

/**
 * ZeRO-2. `code`: as the program prints since pull request 5099, 2P + 18P/N without offload; `docs`: as the documentation
 * still says and shows, 4P + 16P/N. They disagree; the code is what runs.
 */
export function zero2States(
  { parameters, gpusPerNode, nodes, bufferFactor = BUFFER_FACTOR }: Omit<DeepSpeedInput, 'largestLayer'>,
  edition: 'code' | 'docs' = 'code',
): DeepSpeedRow[] {
  const gpus = gpusPerNode * nodes;
  const onDevice =
    edition === 'code'
      ? 2 * parameters + Math.trunc((18 * parameters) / gpus)
      : 4 * parameters + Math.trunc((16 * parameters) / gpus);
  return [
    {
      options: 'offload_optimizer=cpu',
      cpuBytes: Math.trunc(parameters * Math.max(4 * gpus, 16) * bufferFactor),
      gpuBytes: Math.trunc(2 * parameters),
    },
    {
      options: 'offload_optimizer=none',
      cpuBytes: Math.trunc(parameters * 4 * gpusPerNode * bufferFactor),
      gpuBytes: Math.trunc(onDevice),
    },
  ];
}

/** ZeRO-3: the six combinations of offload and `zero.Init`, in the order in which DeepSpeed prints them. */
export function zero3States(input: DeepSpeedInput): DeepSpeedRow[] {
  const { parameters, largestLayer, gpusPerNode, nodes, bufferFactor = BUFFER_FACTOR } = input;
  const gpus = gpusPerNode * nodes;
  const gathered = 4 * largestLayer;
  const whole = 4 * gpusPerNode;
  const row = (offload: string, init: 0 | 1, cpu: number, gpu: number): DeepSpeedRow => ({
    options: `${offload}, zero_init=${init}`,
    cpuBytes: Math.trunc(cpu * bufferFactor),
    gpuBytes: Math.trunc(gpu),
  });
  const both = 'offload_param=cpu, offload_optimizer=cpu';
  const optimizer = 'offload_param=none, offload_optimizer=cpu';
  const none = 'offload_param=none, offload_optimizer=none';
  const shardOnly = gathered + Math.trunc((2 * parameters) / gpus);
  const everything = gathered + Math.trunc((18 * parameters) / gpus);
  return [
    row(both, 1, (parameters * 18) / nodes, gathered),
    row(both, 0, parameters * Math.max(whole, 18 / nodes), gathered),
    row(optimizer, 1, (parameters * 16) / nodes, shardOnly),
    row(optimizer, 0, parameters * Math.max(whole, 16 / nodes), shardOnly),
    row(none, 1, largestLayer * whole, everything),
    row(none, 0, parameters * whole, everything),
  ];
}

/** The rows as DeepSpeed prints them, header and all. */
export function deepSpeedText(input: DeepSpeedInput, rows: readonly DeepSpeedRow[], showLargest: boolean): string[] {
  const { parameters, largestLayer, gpusPerNode, nodes } = input;
  const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;
  const largest = showLargest ? `, ${Math.trunc(largestLayer / 1e6)}M largest layer params` : '';
  return [
    'Estimated memory needed for params, optim states and gradients for a:',
    `HW: Setup with ${plural(nodes, 'node')}, ${plural(gpusPerNode, 'GPU')} per node.`,
    `SW: Model with ${Math.trunc(parameters / 1e6)}M total params${largest}.`,
    '  per CPU  |  per GPU |   Options',
    ...rows.map(({ options, cpuBytes, gpuBytes }) => `  ${gb(cpuBytes, 7)} | ${gb(gpuBytes, 6)} | ${options}`),
  ];
}

const gb = (size: number, width: number): string => `${(size / 2 ** 30).toFixed(2).padStart(width)}GB`;
