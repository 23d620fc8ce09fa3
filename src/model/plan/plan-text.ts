/** A plan in lines for people: the table of terms with formulas, the replay beside them, and what would make it fit. */
import { formatBytes, formatNumber } from '../../base/format.js';
import { storyText } from '../trace/story-text.js';
import { csvText } from '../report/csv.js';
import { type ChangeRow } from './advice.js';
import { withNumbers } from './formula.js';
import { type Plan } from './plan.js';
import { fitsIn, type PlanFindings, symbolsOf } from './plan-json.js';
import { type PlanReplay } from './replay-plan.js';
import { type Term } from './term.js';

/** The whole answer of `vramlab plan`. */
export function planText(plan: Plan, findings: PlanFindings): string {
  const { replay, capacity, largestBatch, changes } = findings;
  const replayed = typeof replay === 'string' ? undefined : replay;
  const lines = [
    `${modelText(plan)}, ${jobText(plan)}`,
    '',
    ...tableText(plan, replayed),
    '',
    ...sourcesText(plan.terms),
    '',
    ...(replayed === undefined ? [`no replay: ${typeof replay === 'string' ? replay : ''}`] : replayText(replayed)),
    ...(capacity === undefined ? [] : ['', ...capacityText(plan, findings, capacity)]),
    ...(largestBatch === undefined ? [] : [`largest batch that completes: ${largestBatch}`]),
    ...(changes === undefined || changes.length === 0 ? [] : ['', ...changesText(changes)]),
  ];
  return `${lines.join('\n')}\n`;
}

/** A model of which only the count is known is called after it: that is said once. */
function modelText({ model }: Plan): string {
  const count = `${formatNumber(model.parameters)} parameters`;
  return model.name === count ? count : `${model.name}: ${count}`;
}

function jobText({ settings }: Plan): string {
  const { mode, precision, zero, dataParallel, tensorParallel, pipelineParallel, batch, sequence } = settings;
  const parts = [
    mode,
    precision,
    ...(batch === undefined ? [] : [`batch ${formatNumber(batch)}`]),
    ...(sequence === undefined ? [] : [`${formatNumber(sequence)} tokens`]),
    ...(mode === 'train' && (zero > 0 || dataParallel > 1)
      ? [`ZeRO-${zero} on ${formatNumber(dataParallel)} ${dataParallel === 1 ? 'device' : 'devices'}`]
      : []),
    ...(tensorParallel > 1 ? [`tensor parallel ${tensorParallel}`] : []),
    ...(pipelineParallel > 1 ? [`stage ${settings.stage} of ${pipelineParallel}`] : []),
    ...(settings.recompute === 'none' ? [] : [`${settings.recompute} recompute`]),
    ...(settings.flash ? ['fused attention'] : []),
  ];
  return parts.join(', ');
}

const bytesText = (bytes: number | undefined): string => (bytes === undefined ? 'unknown' : `${formatNumber(bytes)} B`);

function tableText({ terms, total }: Plan, replay: PlanReplay | undefined): string[] {
  const atPeak = new Map(replay?.reconciliation.terms.map((gap) => [gap.id, gap.atPeak]));
  const rows = terms.map((term): string[] => [
    term.id,
    bytesText(term.bytes),
    term.bytes === undefined ? '' : formatBytes(term.bytes),
    ...(replay === undefined ? [] : [atPeak.has(term.id) ? formatBytes(atPeak.get(term.id) ?? 0) : '']),
    term.bytes === undefined
      ? (term.reason ?? '')
      : `${term.formula}${numbersText(term)}${term.reason === undefined ? '' : ` (${term.reason})`}`,
  ]);
  const unknown = terms.filter(({ bytes }) => bytes === undefined).length;
  const head = ['term', 'bytes', '', ...(replay === undefined ? [] : ['at the peak']), 'formula'];
  const sum = [
    'total',
    bytesText(total),
    formatBytes(total),
    ...(replay === undefined ? [] : [formatBytes(replay.needed.peakAllocated)]),
    `${formatNumber(total / 1e9, 1)} GB${unknown === 0 ? '' : `, without ${unknown} unknown`}`,
  ];
  const all = [head, ...rows, sum];
  const widths = head.map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, i) =>
        i === 0 || i === row.length - 1 ? cell.padEnd(i === 0 ? (widths[i] ?? 0) : 0) : cell.padStart(widths[i] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}

function numbersText({ formula, values }: Term): string {
  const numbers = withNumbers(formula, values);
  return numbers === formula ? '' : ` = ${numbers}`;
}

function sourcesText(terms: readonly Term[]): string[] {
  const width = Math.max(...terms.map(({ id }) => id.length));
  return [
    'where it comes from, and what makes it smaller',
    ...terms
      .filter(({ bytes }) => bytes !== undefined)
      .map(({ id, source, shrinks, grows }) => {
        const sequence = grows.sequence === 'no' ? '' : ` and sequence (${grows.sequence})`;
        const growth = grows.batch ? `grows with batch${sequence}` : 'fixed';
        const smaller = shrinks.length === 0 ? '' : `; smaller with ${shrinks.join(', ')}`;
        return `  ${id.padEnd(width)}  ${source}; ${growth}${smaller}`;
      }),
    '',
    ...Object.entries(symbolsOf(terms)).map(([symbol, meaning]) => `  ${symbol.padEnd(3)} ${meaning}`),
  ];
}

function replayText({ allocator, step, needed, reconciliation }: PlanReplay): string[] {
  const { notAtPeak, rounding, unexplained, phase, operation } = reconciliation;
  const total = reconciliation.terms.reduce((sum, { formula }) => sum + formula, 0);
  const conf = allocator.conf === undefined || allocator.conf === '' ? '' : `, ${allocator.conf}`;
  return [
    `replay of the step: ${formatNumber(step.trace.length)} operations on the ${allocator.name} allocator${conf}`,
    `  formulas, each at its most   ${formatBytes(total).padStart(10)}  ${formatNumber(total)} B`,
    `  not alive at the peak       -${formatBytes(notAtPeak).padStart(10)}  ${formatNumber(notAtPeak)} B`,
    `  rounding of blocks          +${formatBytes(rounding).padStart(10)}  ${formatNumber(rounding)} B`,
    ...(unexplained === 0 ? [] : [`  not explained               -${formatBytes(unexplained).padStart(10)}`]),
    `  peak allocated              =${formatBytes(needed.peakAllocated).padStart(10)}  ${formatNumber(needed.peakAllocated)} B, at operation ${operation} (${phase})`,
    `  peak reserved                ${formatBytes(needed.peakReserved).padStart(10)}  ${formatNumber(needed.peakReserved)} B`,
  ];
}

function capacityText(plan: Plan, findings: PlanFindings, capacity: number): string[] {
  const { replay } = findings;
  const fits = fitsIn(plan, findings);
  if (typeof replay === 'string' || replay.card === undefined) {
    return fits === false
      ? [
          `does not fit in ${formatBytes(capacity)}: ${formatBytes(plan.total - capacity)} too few, before what is unknown`,
        ]
      : [
          `what is known fits in ${formatBytes(capacity)}, with ${formatBytes(capacity - plan.total)} left for what is not`,
        ];
  }
  const { available, result, story } = replay.card;
  if (result.outcome.status === 'completed') {
    return [
      `completes on ${formatBytes(capacity)}: peak reserved ${formatBytes(result.peakReserved)} of ${formatBytes(available)}`,
    ];
  }
  return [
    `out of memory on ${formatBytes(capacity)}, first at operation ${result.outcome.operation}: ${formatBytes(available)} for the allocator`,
    ...(story === undefined ? [] : ['', ...storyText(story, result.outcome.pins)]),
  ];
}

function changesText(rows: readonly ChangeRow[]): string[] {
  const width = Math.max(...rows.map(({ change }) => change.length));
  const fitting = rows.filter(({ fits }) => fits === true).length;
  return [
    fitting === 0
      ? 'nothing that was tried fits (the cheapest change first):'
      : 'what fits, the cheapest change first; then what does not:',
    ...rows.map(({ change, costs, fits, peakReserved }) => {
      const peak = peakReserved === undefined ? 'not replayed' : `peak reserved ${formatBytes(peakReserved)}`;
      return `  ${change.padEnd(width)}  ${fits === true ? 'fits' : 'does not fit'}, ${peak}; costs ${costs.join('; ')}`;
    }),
  ];
}

/** One line a term for spreadsheets. Sizes are bytes, unknown ones are empty. */
export function planCsv({ terms, total }: Plan, { replay }: PlanFindings): string {
  const gaps = new Map(typeof replay === 'string' ? [] : replay.reconciliation.terms.map((gap) => [gap.id, gap]));
  return csvText([
    [
      'term',
      'bytes',
      'at_peak_bytes',
      'formula',
      'numbers',
      'grows_with_batch',
      'grows_with_sequence',
      'shrinks',
      'source',
      'reason',
    ],
    ...terms.map((term) => [
      term.id,
      term.bytes ?? '',
      gaps.get(term.id)?.atPeak ?? '',
      term.formula,
      withNumbers(term.formula, term.values),
      String(term.grows.batch),
      term.grows.sequence,
      term.shrinks.join('; '),
      term.source,
      term.reason ?? '',
    ]),
    ['total', total, typeof replay === 'string' ? '' : replay.needed.peakAllocated, '', '', '', '', '', '', ''],
  ]);
}
