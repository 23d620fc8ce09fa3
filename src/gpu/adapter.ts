/**
 * Finding an adapter and saying what it is. The `GPU` object is an argument everywhere, so that another host than a
 * browser's worker can be used. Every device gets a new adapter: one that gave a device is spent (gpuweb#4352).
 */
import { AppError } from '../base/errors.js';
import { say } from '../base/said.js';
import { type AdapterChoice, type AdapterFacts } from '../model/report/schema.js';

/** Waits between requests, in ms: `requestAdapter` can answer null in the first 100 ms. */
const RETRY_WAITS = [0, 20, 50, 100, 200, 400];

/** Names that software rasterisers go by (facts/field-problems.md 46). */
const SOFTWARE_NAMES = ['swiftshader', 'llvmpipe', 'lavapipe', 'basic render', 'software rasterizer'];

/** Features that kernels and clock use where they are offered. */
const USED_FEATURES: readonly GPUFeatureName[] = ['timestamp-query', 'shader-f16', 'subgroups'];

/** What browsers add beside the typed interface. */
interface HeapInfo {
  readonly size: number;
  readonly properties: number;
}
type InfoWithExtras = Partial<GPUAdapterInfo> & { readonly memoryHeaps?: readonly HeapInfo[] };
type AdapterWithExtras = GPUAdapter & { readonly isFallbackAdapter?: boolean };

export type Wait = (ms: number) => Promise<void>;
export const wait: Wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Asks for an adapter until there is one. `software` asks for the fallback adapter first, and takes the ordinary one where
 * the browser has no other (`checkChoice` judges it). Throws `AppError` (`unsupported`) where there is none after 0.8 s.
 */
export async function requestAdapter(gpu: GPU, choice: AdapterChoice = 'any', pause: Wait = wait): Promise<GPUAdapter> {
  for (const ms of RETRY_WAITS) {
    if (ms > 0) await pause(ms);
    const fallback = choice === 'software' ? await gpu.requestAdapter({ forceFallbackAdapter: true }) : null;
    const adapter = fallback ?? (await gpu.requestAdapter({ powerPreference: 'high-performance' }));
    if (adapter !== null) return adapter;
  }
  throw new AppError({ kind: 'unsupported', missing: 'adapter' }, say`this browser gives no WebGPU adapter`);
}

/** Whether the adapter is a software one: by the new place of the flag, the old one, and by name. */
export function isSoftware(adapter: GPUAdapter): boolean {
  const info: InfoWithExtras = adapter.info;
  const old: AdapterWithExtras = adapter;
  if (info.isFallbackAdapter === true || old.isFallbackAdapter === true) return true;
  const names = [info.vendor, info.architecture, info.device, info.description].join(' ').toLowerCase();
  return SOFTWARE_NAMES.some((name) => names.includes(name));
}

/** Throws `AppError` (`unsupported`) when the adapter's class is not the one that was asked for. */
export function checkChoice(adapter: GPUAdapter, choice: AdapterChoice): void {
  const found = isSoftware(adapter) ? 'software' : 'hardware';
  if (choice === 'any' || choice === found) return;
  const { vendor, architecture, description } = adapter.info;
  const name = [vendor, architecture, description].filter((part) => part !== '').join(' ') || 'without a name';
  throw new AppError(
    { kind: 'unsupported', missing: `${choice} adapter` },
    say`a ${choice} adapter was asked for, but the browser gives a ${found} one (${name})`,
  );
}

/** The adapter's own limits by name. Limits sit on the prototype as getters, so `for in` finds them. */
export function limitsOf(source: GPUSupportedLimits): Record<string, number> {
  const limits: Record<string, number> = {};
  for (const name in source) {
    const value: unknown = Reflect.get(source, name);
    if (typeof value === 'number') limits[name] = value;
  }
  return limits;
}

/** A device with everything the adapter has: defaults are 256 MiB a buffer and 128 MiB a binding. */
export function requestDevice(adapter: GPUAdapter): Promise<GPUDevice> {
  return adapter.requestDevice({
    label: 'vramlab',
    requiredFeatures: USED_FEATURES.filter((feature) => adapter.features.has(feature)),
    requiredLimits: limitsOf(adapter.limits),
  });
}

/** What the report says about adapter and device. An empty (masked) info gives empty texts. */
export function describeAdapter(adapter: GPUAdapter, device: GPUDevice): AdapterFacts {
  const info: InfoWithExtras = adapter.info;
  const maximum = limitsOf(adapter.limits);
  const granted = limitsOf(device.limits);
  const heaps = (info.memoryHeaps ?? []).filter((heap) => heap.size > 0);
  return {
    vendor: info.vendor ?? '',
    architecture: info.architecture ?? '',
    device: info.device ?? '',
    description: info.description ?? '',
    class: isSoftware(adapter) ? 'software' : 'hardware',
    isFallbackAdapter: info.isFallbackAdapter ?? false,
    features: [...device.features].sort(),
    limits: granted,
    limitRequests: Object.entries(maximum).map(([name, most]) => ({
      name,
      asked: most,
      granted: granted[name] ?? 0,
      maximum: most,
    })),
    ...(heaps.length === 0
      ? {}
      : { memoryHeaps: heaps.map(({ size, properties }) => ({ sizeBytes: size, properties })) }),
  };
}
