import { describe, expect, it } from 'vitest';
import { cardOf, CARDS } from './cards.js';

const named = (device: string) => cardOf({ device, description: '' });

describe('cardOf', () => {
  it.each([
    ['NVIDIA GeForce RTX 5090', 1792],
    ['NVIDIA GeForce RTX 4090', 1008],
    ['NVIDIA GeForce RTX 4080', 716.8],
    ['NVIDIA GeForce RTX 3090', 936],
    ['NVIDIA A100-SXM4-40GB', 1555],
    ['NVIDIA A100-SXM4-80GB', 2039],
    ['NVIDIA H100 80GB HBM3', 3350],
    ['Apple M1', 68.256],
    ['Apple M1 Pro', 200],
    ['Apple M2', 100],
  ])('knows the peak of %s: %s GB/s', (device, peak) => {
    expect(named(device)?.peakGBps).toBeCloseTo(peak, 6);
  });

  it('does not take a faster or slower variant for the card whose name it holds', () => {
    const variants = ['RTX 3080 Ti', 'RTX 3090 Ti', 'RTX 4080 SUPER', 'RTX 4090 Laptop GPU', 'RTX 4090 D'];
    for (const variant of [...variants.map((name) => `NVIDIA GeForce ${name}`), 'Apple M1 Max', 'Apple M2 Ultra']) {
      expect(named(variant), variant).toBeUndefined();
    }
    expect(named('Intel(R) Arc(TM) A770M Graphics')).toBeUndefined();
    expect(named('NVIDIA L40S')).toBeUndefined();
  });

  it('counts the fastest of the cards that share a name', () => {
    expect(named('NVIDIA GeForce RTX 3080')?.peakGBps).toBe(912);
  });

  it('says of every peak which document it is from, or what it is computed from', () => {
    for (const { source } of CARDS) {
      expect(source).toMatch(/^(computed: .+; the memory: )?https:\/\/www\.(nvidia|amd|intel|apple)\.com\//);
    }
    expect(CARDS.find(({ name }) => name === 'Apple M1')?.source).toMatch(/^computed: 128 bit x 4\.266 Gb\/s/);
  });
});
