/** Workloads and their parameters as text, for `vramlab trace --list`. */
import { sizeLabel } from '../../base/sizes.js';
import { describeDefault, describeRange } from './parameter.js';
import { type Workload } from './workload.js';

/** One workload: name and purpose, budget, then a line a parameter (name, default, range, meaning). */
export function describeWorkload(workload: Workload): string {
  const rows = Object.entries(workload.parameters).map(([key, parameter]) => [
    key,
    describeDefault(parameter),
    describeRange(parameter),
    parameter.about,
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return [
    `${workload.id}: ${workload.about}`,
    `  made for ${sizeLabel(workload.capacity)}; ends with ${workload.endsWith}`,
    ...lines.map((line) => `  ${line}`.trimEnd()),
  ].join('\n');
}
