/** The rows of a measured step as what a scene draws: a line over working sets, or bars where they have none. */
import { figureWords } from '../../../app/chart-words.js';
import { formatSignificant } from '../../../base/format.js';
import { bandwidthFigure, latencyFigure } from '../../../model/report/charts/figures.js';
import { type LineFigure } from '../../../model/report/charts/line-chart.js';
import { type Row } from '../../../model/report/schema.js';
import { type PlanBar } from '../plan-bars/plan-bars.js';

export type MeasuredFigure =
  | { readonly kind: 'latency' | 'bandwidth'; readonly figure: LineFigure }
  | { readonly kind: 'bars'; readonly bars: readonly PlanBar[] };

/** `ids` are the starts of the rows that the step asks for. */
export function measuredFigure(ids: readonly string[], rows: readonly Row[]): MeasuredFigure {
  const run = { rows, experiments: [] };
  const nothing = { rows: [], experiments: [] };
  if (ids.every((id) => id.startsWith('tiers/latency'))) {
    return { kind: 'latency', figure: latencyFigure(run, figureWords(), nothing) };
  }
  if (ids.every((id) => /^tiers\/(copy-buffer|clear-buffer|sweep|global)/.test(id))) {
    return { kind: 'bandwidth', figure: bandwidthFigure(run, figureWords(), nothing) };
  }
  return { kind: 'bars', bars: rows.flatMap(barOf) };
}

function barOf(row: Row): readonly PlanBar[] {
  if (row.status !== 'measured') return [];
  const shown = `${formatSignificant(row.value)} ${row.unit}`;
  const label = row.id.slice(row.id.lastIndexOf('/') + 1);
  return [{ label: '', parts: [{ label, value: row.value, shown, category: '' }] }];
}
