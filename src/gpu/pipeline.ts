/** From a `Program` of shaders/ to a pipeline and its bind groups. */
import { type Access, type Program, WORKGROUP_SIZE } from '../../shaders/index.js';

/** A whole buffer, or its first bytes where a larger one is shared. */
export type Bound = GPUBuffer | { readonly buffer: GPUBuffer; readonly size: number };

export interface Pipeline {
  readonly pipeline: GPUComputePipeline;
  /** Time of the compilation in ns, module and pipeline, as the page sees it. */
  readonly creationNs: number;
  bind(label: string, buffers: readonly Bound[]): GPUBindGroup;
}

const BUFFER_TYPES: Readonly<Record<Access, GPUBufferBindingType>> = {
  uniform: 'uniform',
  row: 'uniform',
  read: 'read-only-storage',
  'read-write': 'storage',
};

/** Compiles a program. Throws (our bug) on any compilation message, a warning included. */
export async function createPipeline(device: GPUDevice, label: string, program: Program): Promise<Pipeline> {
  const begin = performance.now();
  const module = device.createShaderModule({ label, code: program.code });
  const group = device.createBindGroupLayout({
    label,
    entries: program.bindings.map((access, binding) => ({
      binding,
      visibility: GPUShaderStage.COMPUTE,
      buffer: { type: BUFFER_TYPES[access], hasDynamicOffset: access === 'row' },
    })),
  });
  const pipeline = device.createComputePipelineAsync({
    label,
    layout: device.createPipelineLayout({ label, bindGroupLayouts: [group] }),
    compute: { module, entryPoint: program.entryPoint, constants: { ...program.constants } },
  });
  // A rejection is looked at after the compiler's own words, which say more.
  const settled = pipeline.then(
    () => undefined,
    (error: unknown) => error,
  );
  const [{ messages }] = await Promise.all([module.getCompilationInfo(), settled]);
  if (messages.length > 0) {
    const lines = messages.map((message) => `${message.type} ${message.lineNum}:${message.linePos} ${message.message}`);
    throw new Error(`${label}: ${lines.join('; ')}`);
  }
  return {
    pipeline: await pipeline,
    creationNs: Math.round((performance.now() - begin) * 1e6),
    bind: (name, buffers) =>
      device.createBindGroup({
        label: name,
        layout: group,
        entries: buffers.map((bound, binding) => ({
          binding,
          resource: 'buffer' in bound ? bound : { buffer: bound },
        })),
      }),
  };
}

const known = new WeakMap<GPUDevice, Map<string, Promise<Pipeline>>>();

/** As `createPipeline`, but a program is compiled once a device. */
export function pipelineOf(device: GPUDevice, label: string, program: Program): Promise<Pipeline> {
  const pipelines = known.get(device) ?? new Map<string, Promise<Pipeline>>();
  known.set(device, pipelines);
  const key = JSON.stringify([program.entryPoint, program.constants, program.code]);
  const pipeline = pipelines.get(key) ?? createPipeline(device, label, program);
  pipelines.set(key, pipeline);
  return pipeline;
}

/** Folds a count of workgroups into x and y, because a dimension holds `limit` at most. */
export function foldWorkgroups(count: number, limit: number): readonly [number, number] {
  if (count <= limit) return [count, 1];
  const y = Math.ceil(count / limit);
  if (y > limit) throw new Error(`foldWorkgroups: ${count} workgroups do not fit two dimensions of ${limit}`);
  return [Math.ceil(count / y), y];
}

/** The workgroups that cover `threads` invocations on this device. */
export const workgroupsFor = (device: GPUDevice, threads: number): readonly [number, number] =>
  foldWorkgroups(Math.ceil(threads / WORKGROUP_SIZE), device.limits.maxComputeWorkgroupsPerDimension);
