/** Which allocator a replay runs on: what the options say, then what the trace file says, then defaults. */
import { AppError, badInput } from '../base/errors.js';
import { GiB } from '../base/units.js';
import { SettingsError } from '../model/allocator/caching/settings-values.js';
import { type AllocatorSetup, findAllocator, type ReadyAllocator } from '../model/allocator/registry.js';
import { joinParts } from '../model/trace/join-parts.js';
import { bfcLimit } from '../model/trace/trace-header.js';
import { type Trace } from '../model/trace/trace.js';
import { say } from './output.js';
import { type TraceFile } from './trace-file.js';

export const TORCH_VERSIONS = ['2.6', '2.14'] as const;

export interface ReplaySetup {
  readonly allocator?: string;
  readonly conf?: string;
  readonly torch?: (typeof TORCH_VERSIONS)[number];
  readonly capacity?: number;
  readonly fraction?: number;
  readonly history?: boolean;
}

/** Taken when neither the options nor the file say how large the device is. */
const DEFAULT_CAPACITY = GiB(80);

/**
 * The setup, and a way to make its allocator (each time a fresh one). Throws `AppError` (`bad-input`) for options that
 * do not go together and for settings that the allocator refuses; the line names the option or the file.
 */
export async function setUpReplay(
  file: TraceFile,
  options: ReplaySetup,
): Promise<{ readonly setup: AllocatorSetup; readonly make: () => ReadyAllocator }> {
  const { header } = file;
  const name = options.allocator ?? (header.bfc === undefined ? 'caching' : 'bfc');
  const entry = findAllocator(name);
  if (name !== 'caching') refuseCachingOptions(name, options);
  const capacity = capacityOf(file, options);
  const own = name === 'caching' ? header.conf : name === 'bfc' ? bfcConf(header.bfc, options) : undefined;
  const setup: AllocatorSetup = {
    name,
    capacity,
    conf: options.conf ?? own,
    fraction: options.fraction ?? (name === 'caching' ? header.fraction : undefined),
    torch: options.torch ?? header.torch,
    history: options.history,
    trace: entry.plansAhead ? await wholeTrace(file) : undefined,
  };
  const make = () => named(file.path, options, () => entry.make(setup));
  make();
  return { setup, make };
}

/** Bytes of the device: what the option says, what the file says, or 80 GiB, which is said aloud. */
export function capacityOf({ header }: TraceFile, options: Pick<ReplaySetup, 'capacity'>): number {
  const capacity = options.capacity ?? header.capacity ?? bfcLimit(header.bfc);
  if (capacity === undefined) say('the trace names no capacity; taking 80 GiB (--capacity)');
  return capacity ?? DEFAULT_CAPACITY;
}

function refuseCachingOptions(name: string, { fraction, torch }: ReplaySetup): void {
  const given = fraction !== undefined ? '--fraction' : torch !== undefined ? '--torch' : undefined;
  if (given !== undefined)
    throw badInput(given, `${given}: only --allocator caching has it; leave it out with ${name}`);
}

/** Says where a refused setting came from: the option, or the file. */
function named<T>(path: string, options: ReplaySetup, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error instanceof SettingsError) {
      const where = options.conf === undefined ? `${path}: config` : `--conf "${options.conf}"`;
      throw badInput('--conf', `${where}: ${error.message}`);
    }
    throw error;
  }
}

/** The trace in one piece, for allocators that plan ahead and for comparisons. */
export async function wholeTrace(file: TraceFile): Promise<Trace> {
  const parts: Trace[] = [];
  await file.forEachPart((part) => {
    parts.push(part);
  });
  return joinParts(parts);
}

/** A golden file's config as `key=value,...`; `--capacity` takes the place of its limit and supply. */
function bfcConf(config: TraceFile['header']['bfc'], { capacity }: ReplaySetup): string | undefined {
  if (config === undefined) return undefined;
  return Object.entries(config)
    .filter(([key]) => capacity === undefined || (key !== 'memory_limit' && key !== 'sub_capacity'))
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(',');
}
