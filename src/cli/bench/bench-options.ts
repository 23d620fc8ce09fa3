/** The options of `vramlab bench`, as commander reads them and as a run wants them. */
import process from 'node:process';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { messageOf } from '../../base/errors.js';
import { parseSize } from '../../base/sizes.js';
import {
  ADAPTER_CHOICES,
  type AdapterChoice,
  PRESETS,
  type Preset,
  type SuiteName,
} from '../../model/report/schema.js';
import { AVAILABLE_SUITES, DEFAULT_SUITES } from '../../model/report/suites.js';
import { parseSeed } from '../seed.js';
import { parseAbValues } from './ab-flags.js';
import { type ReportFileOptions, addReportFileOptions } from '../report-files.js';

/** Bytes of a run that nobody chose a budget for; the worker goes lower where the adapter has little. */
export const DEFAULT_BUDGET = 2 ** 30;
const DEFAULT_SEED = 1;
/** A timer holds at most 2^31 - 1 ms. */
const MAX_TIMEOUT_SECONDS = 2_147_483;

/** How long a whole run may take, in seconds. Far over what it needs: this is for a GPU that hangs. */
const TIMEOUT_SECONDS: Readonly<Record<Preset, number>> = { quick: 300, standard: 1800, full: 14_400 };

export interface BenchOptions extends ReportFileOptions {
  readonly suite: readonly SuiteName[];
  readonly preset: Preset;
  readonly filter?: string;
  readonly trace?: string;
  readonly out?: string;
  readonly browser?: string;
  readonly adapter: AdapterChoice;
  readonly headed: boolean;
  /** Undefined where nobody chose one: `DEFAULT_BUDGET`, or less on a small adapter. */
  readonly budget?: number;
  readonly seed: number;
  readonly timeout?: number;
  readonly quiet: boolean;
  /** Browser flags of two configurations to measure in turn. */
  readonly ab?: readonly [a: readonly string[], b: readonly string[]];
}

/** Adds every option. A value that cannot be used throws commander's error, which becomes one line and exit 2. */
export function addBenchOptions(command: Command): Command {
  command
    .option(
      '--suite <names>',
      `which suites, with commas: ${AVAILABLE_SUITES.join(', ')}, or all`,
      parseSuites,
      DEFAULT_SUITES,
    )
    .addOption(
      new Option('--preset <name>', 'how thoroughly each row is measured').choices(PRESETS).default('standard'),
    )
    .option('--filter <re>', 'run only the rows whose id matches this regular expression', parseFilter)
    .option('--trace <file>', 'a trace to carry out on real buffers too (suite train)')
    .option('--out <file>', 'write the report as JSON; - for stdout');
  addReportFileOptions(command)
    .addOption(
      new Option('--browser <name>', 'chrome, edge, chromium, or the path of a browser').env('VRAMLAB_BROWSER'),
    )
    .addOption(new Option('--adapter <class>', 'which GPU adapter to take').choices(ADAPTER_CHOICES).default('any'))
    .option('--headed', 'show the browser window', false)
    .option(
      '--budget <size>',
      "most bytes of GPU buffers at once (default: 1GiB, but at most a quarter of the adapter's memory)",
      parseBudget,
    )
    .option('--seed <n>', 'seed of everything random', parseSeed, DEFAULT_SEED)
    .option('--timeout <s>', 'end the run after this many seconds (default: by preset)', parseTimeout)
    .option('--quiet', 'no progress on stderr', false)
    .option(
      '--ab <flagsA> <flagsB>',
      'measure two browser configurations in turn and compare them: each a set of browser flags in one argument, "" for none',
      parseAbValues,
    );
  return command;
}

/** The limit of the whole run, in milliseconds. */
export const timeoutMs = (options: BenchOptions): number =>
  Math.ceil((options.timeout ?? TIMEOUT_SECONDS[options.preset]) * 1000);

/** The browser to look for; an empty variable means none was named. */
export const wantedBrowser = (options: BenchOptions): string | undefined =>
  options.browser === '' ? undefined : (options.browser ?? process.env['VRAMLAB_BROWSER']);

function parseSuites(text: string): readonly SuiteName[] {
  const names = text.split(',').map((name) => name.trim());
  // Every name is looked at, so that a mistyped one beside `all` or beside itself does not slip through.
  const chosen = names.flatMap((name) => {
    if (name === 'all') return AVAILABLE_SUITES;
    const suite = AVAILABLE_SUITES.find((known) => known === name);
    if (suite === undefined) {
      throw new InvalidArgumentError(`There is no suite "${name}"; choose from ${AVAILABLE_SUITES.join(', ')}, all.`);
    }
    return [suite];
  });
  return [...new Set(chosen)];
}

function parseFilter(text: string): string {
  try {
    new RegExp(text);
  } catch (error) {
    throw new InvalidArgumentError(`${messageOf(error)}.`);
  }
  return text;
}

function parseBudget(text: string): number {
  try {
    return parseSize(text, '--budget');
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error).replace(/^--budget: /, ''));
  }
}

function parseTimeout(text: string): number {
  const seconds = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || seconds <= 0 || seconds > MAX_TIMEOUT_SECONDS) {
    throw new InvalidArgumentError(`A timeout is a number of seconds over 0, at most ${MAX_TIMEOUT_SECONDS}.`);
  }
  return seconds;
}
