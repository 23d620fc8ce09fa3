import { describe, expect, it } from 'vitest';
import { fidelityOf } from './fidelity.js';
import { oomStates } from './oom-states.js';
import { readSnapshot } from './read-snapshot.js';
import { ACTION } from './recorded-snapshot.js';
import { severalDevices } from './testing/several-devices.js';

const MIB = 2 ** 20;

describe.each(['', 'expandable_segments:True'])('a file of several devices with traces: "%s"', (conf) => {
  const runs = Array.from({ length: 5 }, (_, device) => ({
    seed: 40 + device,
    steps: 400 + 50 * device,
    capacity: (400 + 100 * device) * MIB,
    // The rings of some devices have lost their start.
    lost: device % 2 === 0 ? 0 : 300,
  }));
  const { bytes, failures } = severalDevices(runs, conf);
  const snapshot = readSnapshot(bytes, 'devices');

  it('replays each device by itself, although their addresses overlap', () => {
    const rows = fidelityOf(snapshot);
    expect(rows.map(({ device }) => device)).toEqual([0, 1, 2, 3, 4]);
    for (const row of rows) {
      expect({ device: row.device, placed: row.addr_match }).toEqual({ device: row.device, placed: row.alloc });
      expect(row.alloc).toBeGreaterThan(80);
    }
  });

  it('has the state of each failure as the allocator had it', () => {
    const states = oomStates(snapshot);
    failures.forEach((figures, device) => {
      const found = states.filter((state) => state.device === device);
      expect(
        found.map((state) => [
          state.reserved_bytes,
          state.allocated_bytes,
          state.inactive_bytes,
          state.inactive_blocks,
          state.largest_inactive_block,
        ]),
      ).toEqual(figures);
      expect(found.every(({ contradictions }) => contradictions === 0)).toBe(true);
    });
    expect(states.length).toBeGreaterThan(10);
  });

  it('has memory that went back to the device in its traces', () => {
    const back = conf === '' ? ACTION.segmentFree : ACTION.segmentUnmap;
    expect(snapshot.traces.every(({ action }) => action.includes(back))).toBe(true);
  });
});
