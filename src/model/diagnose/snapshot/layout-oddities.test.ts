import { describe, expect, it } from 'vitest';
import { readSnapshot } from '../../snapshot/read-snapshot.js';
import { pythonPickle } from '../../snapshot/testing/python-pickle.js';
import { layoutOddities } from './layout-oddities.js';

const MIB = 2 ** 20;
const segment = (at: number, device = 0, size = 20 * MIB) => ({
  device,
  address: 2 ** 46 + at,
  total_size: size,
  blocks: [{ address: 2 ** 46 + at, size, state: 'inactive' }],
});
const oddities = (...segments: readonly object[]) => layoutOddities(readSnapshot(pythonPickle({ segments }, 4), 'x'));

describe('the layout of a snapshot', () => {
  it('is fine where segments touch, in any order, and on two devices at one address', () => {
    expect(oddities(segment(20 * MIB), segment(0), segment(0, 1))).toEqual([]);
  });

  it('tells bytes that are listed twice', () => {
    expect(oddities(segment(0), segment(20 * MIB - 512))).toEqual([
      expect.stringMatching(/^1 of 2 segments lie over others of the same device \(512 B listed twice\)/),
    ]);
    expect(oddities(segment(0), segment(0), segment(0))[0]).toMatch(/^2 of 3 segments .* \(40\.00 MiB listed twice\)/);
    expect(oddities(segment(0), segment(4 * MIB, 0, MIB))[0]).toMatch(/^1 of 2 segments .* \(1\.00 MiB listed twice\)/);
  });

  it('tells blocks that leave a part of their segment out', () => {
    expect(oddities({ ...segment(0), total_size: 21 * MIB })[0]).toMatch(/^in 1 of 1 segments .*1\.00 MiB off/);
  });
});
