/** Why a run could not be made at all, for the person. */
import { AppError, badInput } from '../../base/errors.js';
import { adapterName } from '../../model/report/present.js';
import type { Environment } from '../../model/report/schema.js';
import { hardwareHints } from '../browser/hardware-hints.js';
import type { BenchOptions } from './bench-options.js';

/** `--adapter hardware` where the browser gives something else; `found` is what it gives. */
export function noHardware(found: Environment | undefined, flags: readonly string[]): AppError {
  const what = found === undefined ? 'no adapter at all' : `only a software adapter (${adapterName(found)})`;
  return new AppError(
    { kind: 'unsupported', missing: 'hardware adapter' },
    `--adapter hardware: the browser gives ${what}, started with ${flags.join(' ')}; ${hardwareHints()}`,
  );
}

/** A browser that did not get as far as our page. */
export const noStart = (browser: string, why: string): AppError =>
  new AppError(
    { kind: 'unsupported', missing: 'browser' },
    `${browser} cannot be used: ${why}; name a Chrome, Edge or Chromium with --browser`,
  );

/** What was asked for has no row. */
export function nothingToRun({ suite, filter }: BenchOptions): AppError {
  const suites = suite.join(', ');
  return filter === undefined
    ? badInput('--suite', `--suite: ${suites} has no row to run`)
    : badInput(
        '--filter',
        `--filter: no row of ${suites} matches /${filter}/; see the ids in a report of a run without it`,
      );
}
