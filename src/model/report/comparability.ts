/** Whether two reports, or two rows of one id, tell of the same thing (facts/measuring.md 10). */
import { formatBytes, formatDuration } from '../../base/format.js';
import { say } from '../../base/said.js';
import { adapterName } from './present.js';
import type { Environment, MeasuredRow, Report } from './schema.js';

/** A wall clock's step is estimated from readings in floating point; GPU grids agree exactly or not at all. */
const GRID_TOLERANCE = 0.01;
const NOT_NAMED = say`not named`;

/** What forbids comparing the two reports, each in words that name both sides; empty where nothing does. */
export function reportObstacles(a: Report, b: Report): readonly string[] {
  const obstacles: string[] = [];
  if (a.preset !== b.preset) obstacles.push(say`other preset: ${a.preset} against ${b.preset}`);
  if (a.environment === undefined || b.environment === undefined) {
    const which = a.environment === undefined ? say`the first report` : say`the second report`;
    obstacles.push(say`${which} ended before the browser had described itself`);
    return obstacles;
  }
  return [...obstacles, ...environmentObstacles(a.environment, b.environment)];
}

function environmentObstacles(a: Environment, b: Environment): readonly string[] {
  const [clockA, clockB] = [clockName(a), clockName(b)];
  const facts: readonly (readonly [what: string, a: string, b: string])[] = [
    [say`adapter`, adapterKey(a), adapterKey(b)],
    [say`adapter class`, a.adapter.class, b.adapter.class],
    [say`browser`, browserKey(a), browserKey(b)],
    [say`window`, windowOf(a), windowOf(b)],
    [say`platform`, a.platform, b.platform],
  ];
  const others = facts.filter(([, left, right]) => left !== right);
  const obstacles = others.map(([what, left, right]) => say`other ${what}: ${left} against ${right}`);
  const isSameClock = a.clock.kind === b.clock.kind && isNear(a.clock.gridNs, b.clock.gridNs);
  return isSameClock ? obstacles : [...obstacles, say`other clock: ${clockA} against ${clockB}`];
}

/** Every name that the browser gives, so that two cards of one vendor differ. */
function adapterKey({ adapter }: Environment): string {
  const names = [adapter.vendor, adapter.architecture, adapter.device, adapter.description].filter((n) => n !== '');
  return names.length === 0 ? NOT_NAMED : names.join(' / ');
}

const browserKey = ({ browser }: Environment): string => `${browser.name} ${browser.version.split('.')[0] ?? ''}`;

const windowOf = ({ headless }: Environment): string => (headless ? say`headless` : say`headed`);

function clockName({ clock }: Environment): string {
  const grid = formatDuration(clock.gridNs);
  return clock.kind === 'wall' ? say`wall clock with a grid of ${grid}` : say`GPU timestamps with a grid of ${grid}`;
}

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= GRID_TOLERANCE * Math.min(a, b);

/** What does not forbid comparing, but should be known to who reads the result. */
export function reportWarnings(a: Report, b: Report): readonly string[] {
  const warnings: string[] = [];
  for (const [name, report] of [
    [say`the first report`, a],
    [say`the second report`, b],
  ] as const) {
    if (!report.complete) warnings.push(say`${name} is incomplete: ${report.incompleteReason ?? say`no reason given`}`);
  }
  const { environment } = a;
  if (environment === undefined || b.environment === undefined) return warnings;
  if (adapterKey(environment) === NOT_NAMED || adapterKey(b.environment) === NOT_NAMED) {
    warnings.push(say`the browser masks the name of the adapter: whether both runs used the same one cannot be told`);
  }
  if (environment.adapter.class === 'software' && b.environment.adapter.class === 'software') {
    warnings.push(
      say`software adapter (${adapterName(environment)}): these are figures of the processor, not of a GPU`,
    );
  }
  if (environment.browser.version !== b.environment.browser.version) {
    warnings.push(say`browser ${environment.browser.version} against ${b.environment.browser.version}`);
  }
  return warnings;
}

/** Why two rows of one id do not measure the same thing; undefined where they do. */
export function rowObstacle(a: MeasuredRow, b: MeasuredRow): string | undefined {
  if (a.unit !== b.unit) return say`other unit: ${a.unit} against ${b.unit}`;
  if (a.bytes !== b.bytes)
    return say`other kernel: it moves ${sizeOf(a.bytes)} against ${sizeOf(b.bytes)} a repetition`;
  if (a.workingSet !== b.workingSet) {
    return say`other size: working set ${sizeOf(a.workingSet)} against ${sizeOf(b.workingSet)}`;
  }
  const fellBack = [a, b].filter(({ flags }) => flags.includes('clock-fell-back')).length;
  return fellBack === 1 ? say`other clock: one of the rows fell back to the wall clock` : undefined;
}

const sizeOf = (size: number | undefined): string => (size === undefined ? say`an unknown size` : formatBytes(size));
