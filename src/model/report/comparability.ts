/** Whether two reports, or two rows of one id, tell of the same thing (facts/measuring.md 10). */
import { formatBytes, formatDuration } from '../../base/format.js';
import { adapterName } from './present.js';
import type { Environment, MeasuredRow, Report } from './schema.js';

/** A wall clock's step is estimated from readings in floating point; GPU grids agree exactly or not at all. */
const GRID_TOLERANCE = 0.01;

/** What forbids comparing the two reports, each in words that name both sides; empty where nothing does. */
export function reportObstacles(a: Report, b: Report): readonly string[] {
  const obstacles: string[] = [];
  if (a.preset !== b.preset) obstacles.push(`other preset: ${a.preset} against ${b.preset}`);
  if (a.environment === undefined || b.environment === undefined) {
    const which = a.environment === undefined ? 'the first report' : 'the second report';
    obstacles.push(`${which} ended before the browser had described itself`);
    return obstacles;
  }
  return [...obstacles, ...environmentObstacles(a.environment, b.environment)];
}

function environmentObstacles(a: Environment, b: Environment): readonly string[] {
  const [clockA, clockB] = [clockName(a), clockName(b)];
  const facts: readonly (readonly [what: string, a: string, b: string])[] = [
    ['adapter', adapterKey(a), adapterKey(b)],
    ['adapter class', a.adapter.class, b.adapter.class],
    ['browser', browserKey(a), browserKey(b)],
    ['window', a.headless ? 'headless' : 'headed', b.headless ? 'headless' : 'headed'],
    ['platform', a.platform, b.platform],
  ];
  const others = facts.filter(([, left, right]) => left !== right);
  const obstacles = others.map(([what, left, right]) => `other ${what}: ${left} against ${right}`);
  const isSameClock = a.clock.kind === b.clock.kind && isNear(a.clock.gridNs, b.clock.gridNs);
  return isSameClock ? obstacles : [...obstacles, `other clock: ${clockA} against ${clockB}`];
}

/** Every name that the browser gives, so that two cards of one vendor differ. */
function adapterKey({ adapter }: Environment): string {
  const names = [adapter.vendor, adapter.architecture, adapter.device, adapter.description].filter((n) => n !== '');
  return names.length === 0 ? 'not named' : names.join(' / ');
}

const browserKey = ({ browser }: Environment): string => `${browser.name} ${browser.version.split('.')[0] ?? ''}`;

const clockName = ({ clock }: Environment): string =>
  `${clock.kind === 'wall' ? 'wall clock' : 'GPU timestamps'} with a grid of ${formatDuration(clock.gridNs)}`;

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= GRID_TOLERANCE * Math.min(a, b);

/** What does not forbid comparing, but should be known to who reads the result. */
export function reportWarnings(a: Report, b: Report): readonly string[] {
  const warnings: string[] = [];
  for (const [name, report] of [
    ['the first report', a],
    ['the second report', b],
  ] as const) {
    if (!report.complete) warnings.push(`${name} is incomplete: ${report.incompleteReason ?? 'no reason given'}`);
  }
  const { environment } = a;
  if (environment === undefined || b.environment === undefined) return warnings;
  if (adapterKey(environment) === 'not named' || adapterKey(b.environment) === 'not named') {
    warnings.push('the browser masks the name of the adapter: whether both runs used the same one cannot be told');
  }
  if (environment.adapter.class === 'software' && b.environment.adapter.class === 'software') {
    warnings.push(`software adapter (${adapterName(environment)}): these are figures of the processor, not of a GPU`);
  }
  if (environment.browser.version !== b.environment.browser.version) {
    warnings.push(`browser ${environment.browser.version} against ${b.environment.browser.version}`);
  }
  return warnings;
}

/** Why two rows of one id do not measure the same thing; undefined where they do. */
export function rowObstacle(a: MeasuredRow, b: MeasuredRow): string | undefined {
  if (a.unit !== b.unit) return `other unit: ${a.unit} against ${b.unit}`;
  if (a.bytes !== b.bytes) return `other kernel: it moves ${sizeOf(a.bytes)} against ${sizeOf(b.bytes)} a repetition`;
  if (a.workingSet !== b.workingSet) {
    return `other size: working set ${sizeOf(a.workingSet)} against ${sizeOf(b.workingSet)}`;
  }
  const fellBack = [a, b].filter(({ flags }) => flags.includes('clock-fell-back')).length;
  return fellBack === 1 ? 'other clock: one of the rows fell back to the wall clock' : undefined;
}

const sizeOf = (size: number | undefined): string => (size === undefined ? 'an unknown size' : formatBytes(size));
