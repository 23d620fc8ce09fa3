/** What a trace file says about itself: its kind, and the settings that a replay of it starts from. */
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';

export const TRACE_SCHEMA = 'vramlab-trace';
export const TRACE_VERSION = 1;

export type TraceFormat = 'vramlab-trace' | 'pytorch-golden' | 'bfc-golden';

export interface TraceHeader {
  readonly format: TraceFormat;
  readonly name: string;
  /** Settings string of PyTorch's allocator (`config` of a golden file). */
  readonly conf: string | undefined;
  /** Bytes of the device. */
  readonly capacity: number | undefined;
  /** Share of the device that PyTorch may use. */
  readonly fraction: number | undefined;
  readonly torch: '2.6' | '2.14' | undefined;
  /** BFC's options, with the names of `config` in golden/bfc. */
  readonly bfc: Readonly<Record<string, unknown>> | undefined;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Bytes that a file of BFC's was recorded under; undefined where it says none. */
export const bfcLimit = (config: TraceHeader['bfc']): number | undefined => {
  const limit = config?.['memory_limit'];
  return typeof limit === 'number' && limit > 0 ? limit : undefined;
};

type Fields = ReadonlyMap<string, unknown>;

/**
 * Reads the header from the top-level members of a file. `partial`: only what is there is checked, so that a file of a
 * newer version is refused before its operations are read.
 * Throws `AppError` (`bad-input`) for another schema, a version that is newer than ours, or settings of a wrong type.
 */
export function traceHeader(fields: Fields, source: string, extent: 'partial' | 'whole'): TraceHeader {
  const schema = fields.get('schema');
  if (schema !== undefined && schema !== TRACE_SCHEMA) {
    throw badInput(source, say`${source}: this is a ${JSON.stringify(schema)} file, not a "${TRACE_SCHEMA}" one`);
  }
  if (schema === TRACE_SCHEMA) checkVersion(fields, source, extent);
  const config = fields.get('config');
  const meta = recordOf(fields.get('meta'), 'meta', source) ?? {};
  const isBfc = typeof config === 'object' && config !== null;
  const format: TraceFormat = isBfc ? 'bfc-golden' : fields.has('pytorch') ? 'pytorch-golden' : TRACE_SCHEMA;
  if (extent === 'whole' && format === TRACE_SCHEMA && schema === undefined) {
    throw badInput(
      source,
      say`${source}: the file has no "schema"; a trace starts with {"schema":"${TRACE_SCHEMA}","version":${TRACE_VERSION}`,
    );
  }
  const name = fields.get('name');
  return {
    format,
    name: typeof name === 'string' ? name : '',
    conf: isBfc ? undefined : textOf(config, 'config', source),
    capacity: positiveOf(fields.get('capacity') ?? meta['capacity'], 'capacity', source),
    fraction: positiveOf(fields.get('fraction'), 'fraction', source),
    torch: torchOf(fields.get('pytorch')),
    bfc: isBfc ? recordOf(config, 'config', source) : undefined,
    meta,
  };
}

function checkVersion(fields: Fields, source: string, extent: 'partial' | 'whole'): void {
  const version = fields.get('version');
  if (version === undefined && extent === 'partial') return;
  if (typeof version === 'number' && Number.isInteger(version) && version >= 1 && version <= TRACE_VERSION) return;
  if (typeof version === 'number' && version > TRACE_VERSION) {
    throw badInput(
      source,
      say`${source}: ${TRACE_SCHEMA} version ${version} is newer than this program reads (version ${TRACE_VERSION}); update vramlab`,
    );
  }
  const shown = version === undefined ? 'missing' : JSON.stringify(version);
  throw badInput(source, say`${source}: version is ${shown}; ${TRACE_SCHEMA} has version ${TRACE_VERSION}`);
}

/** "2.6.0" is 2.6; "2.14-dev (...)" is 2.14. */
function torchOf(pytorch: unknown): '2.6' | '2.14' | undefined {
  if (typeof pytorch !== 'string') return undefined;
  return /^2\.([0-9]|1[0-3])(\.|\b)/.test(pytorch) ? '2.6' : '2.14';
}

function textOf(value: unknown, key: string, source: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw badInput(source, say`${source}: "${key}" is not a text`);
}

function positiveOf(value: unknown, key: string, source: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER) return value;
  throw badInput(source, say`${source}: "${key}" is not a number from 0 to 2^53`);
}

function recordOf(value: unknown, key: string, source: string): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object' && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>;
  throw badInput(source, say`${source}: "${key}" is not an object`);
}
