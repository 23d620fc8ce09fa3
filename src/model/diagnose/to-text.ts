/** A diagnosis as text for a person: the verdict first, then the arithmetic, then what to do. */
import { formatNumber } from '../../base/format.js';
import { say } from '../../base/said.js';
import { type Diagnosis, type FactValue, type Verdict } from './diagnosis.js';
import { showSize } from './texts/printed-size.js';

export const VERDICT_NAMES: Readonly<Record<Verdict, string>> = {
  fragmentation: say`fragmentation: enough memory is free, in pieces that are too short`,
  'true-shortage': say`true shortage: what is asked for does not fit`,
  'limit-set': say`a limit: memory is there, a setting or a limit of one allocation forbids it`,
  'other-process': say`other memory: something outside this process's cache holds the device`,
  unknown: say`unknown`,
};

/** `8.13 GiB (8,729,521,029 B)` for sizes, plain numbers for counts. */
export function showFact(key: string, value: FactValue): string {
  if (typeof value === 'number') {
    return key.endsWith('_bytes') || key === 'largest_inactive_block'
      ? `${showSize(value)} (${formatNumber(value)} B)`
      : String(value);
  }
  // A bare 0 would read as none.
  if (key === 'devices' && typeof value === 'object') {
    return value
      .slice(1)
      .reduce((list: string, device) => say`${list}, device ${device}`, say`device ${value[0] ?? ''}`);
  }
  if (typeof value === 'object') return value.map((item) => showFact(key, item)).join(', ');
  return String(value);
}

/** Lines for a terminal, without colours. */
export function diagnosisToText(diagnosis: Diagnosis): string {
  const keys = Object.keys(diagnosis.facts);
  const width = Math.max(0, ...keys.map((key) => key.length));
  const facts = Object.entries(diagnosis.facts).map(
    ([key, value]) => `  ${key.padEnd(width)}  ${showFact(key, value)}`,
  );
  return [
    `${diagnosis.framework}: ${VERDICT_NAMES[diagnosis.verdict]}`,
    `  ${diagnosis.why}`,
    ...section(say`Facts`, facts),
    ...section(
      say`Not used`,
      diagnosis.oddities.map((line) => `  ${line}`),
    ),
    ...section(
      say`How`,
      diagnosis.steps.map((line) => `  ${line}`),
    ),
    ...section(
      say`What to do`,
      diagnosis.advice.map((line) => `  - ${line}`),
    ),
  ].join('\n');
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines];
