/** From a `Program` of shaders/ to a pipeline and its bind groups. */
import { type Access, type Program, ROW_BYTES } from '../../shaders/index.js';

export const WORKGROUP_SIZE = 256;

export interface Pipeline {
  readonly pipeline: GPUComputePipeline;
  /** Time of the compilation in ns, module and pipeline, as the page sees it. */
  readonly creationNs: number;
  bind(label: string, buffers: readonly GPUBuffer[]): GPUBindGroup;
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
    compute: { module, entryPoint: program.entryPoint, constants: { workgroup_size: WORKGROUP_SIZE } },
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
        entries: buffers.map((buffer, binding) => ({
          binding,
          resource: program.bindings[binding] === 'row' ? { buffer, size: ROW_BYTES } : { buffer },
        })),
      }),
  };
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
