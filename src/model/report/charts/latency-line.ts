/** The line of "Latency by working set": the pointer chase, in ns a step. */
import { type Row } from '../schema.js';
import { bySize, isSizedIn, pointOf, type SizedPoint, stemOf } from './sized-point.js';

const STEM = 'tiers/latency';

export const latencyLine = (rows: readonly Row[]): readonly SizedPoint[] =>
  rows
    .filter(isSizedIn('ns'))
    .filter((row) => stemOf(row.id) === STEM)
    .map(pointOf)
    .sort(bySize);
