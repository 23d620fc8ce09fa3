import { describe, expect, it } from 'vitest';
import { readSnapshot } from './read-snapshot.js';
import { recordedConf } from './recorded-settings.js';
import { snapshotState } from './snapshot-state.js';
import { pythonPickle } from './testing/python-pickle.js';

const ADDRESS = 2 ** 46;
const block = (values: object = {}) => ({ address: ADDRESS, size: 512, state: 'active_allocated', ...values });
const segment = (values: object = {}) => ({
  device: 0,
  address: ADDRESS,
  total_size: 512,
  allocated_size: 512,
  active_size: 512,
  blocks: [block()],
  ...values,
});
const entry = (values: object) => ({ action: 'alloc', addr: ADDRESS, size: 512, stream: 0, ...values });
const file = (segments: readonly object[], trace: readonly object[] = [], settings: object = {}) => ({
  segments,
  device_traces: [trace],
  allocator_settings: settings,
});

/** Protocol 0 builds records key by key, the others are read as whole records. */
const PROTOCOLS = [0, 2, 4, 5];
const NO_SIZES = [-1, -(2 ** 22), 0.5, Infinity, NaN, 'many', undefined];
/** The text of protocol 0 has no figures without end. */
const canWrite = (protocol: number, value: unknown): boolean =>
  protocol > 0 || typeof value !== 'number' || Number.isFinite(value);

function refusal(value: unknown, protocol: number): string {
  try {
    readSnapshot(pythonPickle(value, protocol), 'x');
    return 'was read';
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : '';
  }
}

describe.each(PROTOCOLS)('values that no allocator writes, protocol %i', (protocol) => {
  it.each(NO_SIZES.filter((size) => canWrite(protocol, size)))('refuses %s as a size, with its place', (size) => {
    expect(refusal(file([segment(), segment({ total_size: size })]), protocol)).toMatch(
      /^AppError: x: segment 1 has no usable "total_size"; expected/,
    );
    expect(refusal(file([segment({ blocks: [block(), block({ size })] })]), protocol)).toMatch(
      /^AppError: x: segment 0, block 1 has no usable "size"; expected/,
    );
    for (const action of ['alloc', 'free_requested', 'free_completed', 'segment_alloc', 'segment_map', 'oom']) {
      expect(refusal(file([segment()], [entry({}), entry({ action, size })]), protocol)).toBe(
        'AppError: x: entry 1 of the trace of device 0 has no usable "size". Save the snapshot again, or paste the OOM text.',
      );
    }
    expect(refusal(file([segment()], [entry({ action: 'annotate', size })]), protocol)).toBe('was read');
  });

  it('refuses places that are none', () => {
    for (const device of [-1, 0.5, Infinity].filter((device) => canWrite(protocol, device))) {
      expect(refusal(file([segment({ device })]), protocol)).toContain('segment 0 has no usable "device"');
    }
    for (const address of [Infinity, NaN, 'here'].filter((address) => canWrite(protocol, address))) {
      expect(refusal(file([segment({ address })]), protocol)).toContain('segment 0 has no usable "address"');
    }
    expect(refusal(file([segment({ segment_pool_id: [-1, 0] })]), protocol)).toContain('"segment_pool_id"');
  });

  it('adds blocks up where the sums of the file are none', () => {
    for (const sum of [-512, 0.5, Infinity].filter((sum) => canWrite(protocol, sum))) {
      const read = readSnapshot(
        pythonPickle(file([segment({ allocated_size: sum, active_size: sum })]), protocol),
        'x',
      );
      expect(snapshotState(read)).toMatchObject({ allocated_bytes: 512, active_bytes: 512 });
    }
  });

  it('takes a limit that the setting cannot name for none', () => {
    const confOf = (limit: number) =>
      recordedConf(readSnapshot(pythonPickle(file([segment()], [], { max_split_size: limit }), protocol), 'x'));
    for (const limit of [-1, Infinity, 2 ** 51].filter((limit) => canWrite(protocol, limit)))
      expect(confOf(limit)).toBe('');
    expect(confOf(2 ** 51 - 2 ** 20)).toBe(`max_split_size_mb:${2 ** 31 - 1}`);
  });
});
