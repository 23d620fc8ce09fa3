/** What is known about the GPU, from asking the engine: the states of the adapter card, the badge and the notice. */
import { AppError, messageOf } from '../base/errors.js';
import { type AdapterFacts, type Environment } from '../model/report/schema.js';
import { type Engine } from './engine-port.js';

/** Why there is nothing to measure on. */
export type MissingGpu = 'insecure-context' | 'no-webgpu' | 'no-adapter';

export type AdapterState =
  | { readonly kind: 'asking' }
  | { readonly kind: 'ready'; readonly environment: Environment }
  | { readonly kind: 'none'; readonly missing: MissingGpu; readonly detail: string }
  | { readonly kind: 'lost'; readonly environment: Environment | undefined; readonly reason: string };

/** What the badge says. */
export type AdapterBadge = 'asking' | 'hardware' | 'software' | 'none' | 'lost';

export function badgeOf(state: AdapterState): AdapterBadge {
  return state.kind === 'ready' ? state.environment.adapter.class : state.kind;
}

/** The facts of an adapter whose browser hides what it is: vendor, architecture, device and description are all empty. */
export const isMasked = (adapter: AdapterFacts): boolean =>
  [adapter.vendor, adapter.architecture, adapter.device, adapter.description].every((text) => text === '');

/** The name to show: the fullest that the browser gives; undefined for a masked adapter. */
export const adapterName = (adapter: AdapterFacts): string | undefined =>
  [adapter.description, adapter.device, `${adapter.vendor} ${adapter.architecture}`.trim()].find((text) => text !== '');

/** The parts of a browser that say whether WebGPU can be there. */
export interface GpuHost {
  readonly isSecureContext: boolean;
  readonly hasWebGpu: boolean;
}

/** Asks the engine what there is. Never rejects: every answer is a state. */
export async function askAdapter(engine: Engine, host: GpuHost): Promise<AdapterState> {
  if (!host.isSecureContext) return { kind: 'none', missing: 'insecure-context', detail: '' };
  if (!host.hasWebGpu) return { kind: 'none', missing: 'no-webgpu', detail: '' };
  try {
    return { kind: 'ready', environment: await engine.describe('any') };
  } catch (error) {
    return stateAfter(error, undefined) ?? { kind: 'none', missing: 'no-adapter', detail: messageOf(error) };
  }
}

/** The state that an error of the engine leaves the adapter in; undefined when it says nothing about the adapter. */
export function stateAfter(error: unknown, environment: Environment | undefined): AdapterState | undefined {
  if (!(error instanceof AppError)) return undefined;
  if (error.failure.kind === 'device-lost') return { kind: 'lost', environment, reason: error.message };
  if (error.failure.kind === 'unsupported') return { kind: 'none', missing: 'no-adapter', detail: error.message };
  return undefined;
}
