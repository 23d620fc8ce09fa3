/**
 * One benchmark run from the program: the runner page does the work, this side collects it. Every row is kept the moment
 * it is finished, so that a run that is interrupted, hangs or crashes still yields what was measured.
 */
import { totalmem } from 'node:os';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { AppError } from '../../base/errors.js';
import { formatBytes } from '../../base/format.js';
import type { RoundProgress, RunEvent, RunnerMessage, RunRequest } from '../../engine/protocol.js';
import { compareSubAllocation, OWN_ALLOCATIONS } from '../../model/execution/dawn-comparison.js';
import { type Ending, ReportBuilder } from '../../model/report/build.js';
import { crashWords } from '../../model/journal/journal.js';
import { reportFlaw } from '../../model/report/read.js';
import type { Environment, Experiment, Report } from '../../model/report/schema.js';
import { LAB_SUITES } from '../../model/report/suites.js';
import { graphicsFlags } from '../browser/flags.js';
import { readJournal } from '../browser/host-answers.js';
import { type PageEnding, runPage } from '../browser/run-page.js';
import { EXIT } from '../exit-codes.js';
import { buildFacts } from '../version.js';
import { type BenchOptions, DEFAULT_BUDGET, timeoutMs } from './bench-options.js';
import type { ProgressView } from './progress-view.js';
import { noHardware, noStart, nothingToRun } from './refusals.js';

/** A describing run opens a device and nothing else. */
const DESCRIBE_LIMIT_MS = 20_000;
const NO_SANDBOX = '--no-sandbox';
const SUB_ALLOCATION_TOGGLE = 'disable_resource_suballocation';
const NO_SUB_ALLOCATION = `--enable-dawn-features=${SUB_ALLOCATION_TOGGLE}`;
const isWithoutSubAllocation = (flags: readonly string[]): boolean =>
  flags.some((flag) => flag.startsWith('--enable-dawn-features=') && flag.includes(SUB_ALLOCATION_TOGGLE));

export interface BenchOutcome {
  /** Already checked against the schema. */
  readonly report: Report;
  readonly exitCode: number;
  /** Why the run is not complete, for stderr. */
  readonly problem: string | undefined;
  /** From the launch of the browser to the first verified row, in ms. */
  readonly firstResultMs: number | undefined;
}

export interface BenchContext {
  readonly browser: string;
  readonly options: BenchOptions;
  readonly stopped: Promise<unknown>;
  readonly view: ProgressView;
  /** Text of the trace that `--trace` names. */
  readonly traceText?: string;
  readonly say: (line: string) => void;
  /** Browser flags beyond those that every run has. */
  readonly extraFlags?: readonly string[];
}

/**
 * Runs to the end, or to what stopped it. Throws `AppError` where there is nothing to report: `unsupported` (no browser
 * that starts, no adapter of the wanted class), `bad-input` (no row matches).
 */
export async function runBench(context: BenchContext): Promise<BenchOutcome> {
  const { options } = context;
  if (!options.quiet && options.suite.some((name) => LAB_SUITES.includes(name))) {
    const words = crashWords(readJournal());
    if (words !== undefined) context.say(words);
  }
  const flags = [...graphicsFlags(options.adapter, options.headed), ...(context.extraFlags ?? [])];
  const run = new CollectedRun(context, flags);
  let ending = await run.perform(flags);
  if (needsNoSandbox(ending, flags)) {
    context.say(`the browser cannot use its sandbox here; starting it with ${NO_SANDBOX}`);
    ending = await run.perform([...flags, NO_SANDBOX]);
  }
  context.view.end();
  return run.outcome(ending);
}

/** In containers and on systems that restrict user namespaces Chromium refuses to start and names its sandbox. */
const needsNoSandbox = (ending: PageEnding, flags: readonly string[]): boolean =>
  ending.kind === 'gone' && !ending.opened && /sandbox/i.test(ending.why) && !flags.includes(NO_SANDBOX);

class CollectedRun {
  readonly #context: BenchContext;
  readonly #builder: ReportBuilder;
  #flags: readonly string[];
  #planned = 0;
  #round: RoundProgress | undefined;
  readonly #plannedIds = new Set<string>();
  readonly #experiments: Experiment[] = [];
  /** The browser without sub-allocation runs: its environment is not the report's. */
  #isSecond = false;
  readonly #finished = new Set<string>();
  #launchedAt = 0;
  #firstResultMs: number | undefined;
  /** Ends the run from inside `onMessage`, with an error for the person. */
  #refuse: (error: AppError) => void = () => undefined;
  readonly #refused = new Promise<AppError>((resolve) => {
    this.#refuse = resolve;
  });

  constructor(context: BenchContext, flags: readonly string[]) {
    this.#context = context;
    this.#flags = flags;
    this.#builder = new ReportBuilder({
      tool: { name: 'vramlab', ...buildFacts() },
      createdAt: new Date().toISOString(),
      argv: process.argv.slice(2),
      seed: context.options.seed,
      preset: context.options.preset,
    });
  }

  async perform(flags: readonly string[]): Promise<PageEnding> {
    this.#flags = flags;
    this.#launchedAt = performance.now();
    const { options, extraFlags = [] } = this.#context;
    const isOwn = isWithoutSubAllocation(extraFlags);
    const ending = await this.#launch(flags, { suites: options.suite, ...(isOwn ? { ownAllocations: true } : {}) });
    if (ending.kind !== 'ended' || !this.#wantsSecondDriver()) return ending;
    // Dawn's sub-allocator can be left out by a flag only: the suite `driver` once more, in a browser of its own.
    this.#isSecond = true;
    const second = await this.#launch([...flags, NO_SUB_ALLOCATION], { suites: ['driver'], ownAllocations: true });
    const compared = compareSubAllocation(this.#experiments);
    if (compared !== undefined) this.#builder.addExperiment(compared);
    return second;
  }

  /** Where there is time for it, nobody looks, and flags are not what is compared already. */
  #wantsSecondDriver(): boolean {
    const { suite, preset, headed, ab } = this.#context.options;
    return suite.includes('driver') && preset !== 'quick' && !headed && ab === undefined;
  }

  async #launch(flags: readonly string[], asked: Pick<RunRequest, 'suites' | 'ownAllocations'>): Promise<PageEnding> {
    const { browser, options, stopped } = this.#context;
    let refusal: AppError | undefined;
    const refused = this.#refused.then((error) => {
      refusal = error;
    });
    const ending = await runPage({
      browser,
      flags,
      task: {
        kind: 'run',
        request: {
          ...asked,
          preset: options.preset,
          ...(options.filter === undefined ? {} : { filter: options.filter }),
          budgetBytes: options.budget ?? DEFAULT_BUDGET,
          isBudgetAsked: options.budget !== undefined,
          seed: options.seed,
          adapter: options.adapter,
          hostMemoryBytes: totalmem(),
          ...(options.trace === undefined ? {} : { traceFile: options.trace }),
        },
      },
      ...(this.#context.traceText === undefined ? {} : { traceText: this.#context.traceText }),
      timeoutMs: Math.max(1, timeoutMs(options) - (performance.now() - this.#launchedAt)),
      stopped: Promise.race([stopped, refused]),
      onMessage: (message) => {
        this.#receive(message);
      },
    });
    if (refusal !== undefined) throw refusal;
    return ending;
  }

  #receive(message: RunnerMessage): void {
    if (message.kind === 'progress') {
      this.#round = message.progress.round ?? this.#round;
      this.#context.view.progressed(message.progress);
    }
    if (message.kind === 'event') this.#receiveEvent(message.event);
  }

  #receiveEvent(event: RunEvent): void {
    switch (event.kind) {
      case 'planned':
        this.#planned += event.rows.length;
        for (const { id } of event.rows) this.#plannedIds.add(id);
        if (this.#planned === 0) this.#refuse(nothingToRun(this.#context.options));
        break;
      case 'environment':
        if (!this.#isSecond) this.#receiveEnvironment(event.environment);
        break;
      case 'row':
        this.#builder.addRow(event.row);
        // A row comes again with the samples of each round.
        if (this.#finished.has(event.row.id)) break;
        this.#finished.add(event.row.id);
        if (event.row.status === 'measured') this.#firstResultMs ??= performance.now() - this.#launchedAt;
        this.#context.view.rowFinished(event.row);
        break;
      case 'experiment':
        // The reference kernel's drift is told once, by the first browser.
        if (this.#isSecond && !event.experiment.id.endsWith(OWN_ALLOCATIONS)) break;
        this.#builder.addExperiment(event.experiment);
        this.#experiments.push(event.experiment);
        // Beside the planned ones there are experiments that tell of a row measured twice.
        if (!this.#plannedIds.has(event.experiment.id)) break;
        this.#finished.add(event.experiment.id);
        this.#context.view.experimentFinished(event.experiment);
        break;
    }
  }

  /** The page cannot know how its browser was started. */
  #receiveEnvironment(environment: Environment): void {
    const { options } = this.#context;
    const browser = { ...environment.browser, flags: [...this.#flags] };
    this.#builder.setEnvironment({ ...environment, browser, headless: !options.headed });
    const { budget } = environment;
    if (budget !== undefined && !budget.asked && budget.bytes < DEFAULT_BUDGET && !options.quiet) {
      this.#context.say(
        `the budget is ${formatBytes(budget.bytes)}, a quarter of what the adapter has; ask for more with --budget`,
      );
    }
    if (options.adapter === 'hardware' && environment.adapter.class === 'software') {
      this.#refuse(noHardware(environment, this.#flags));
    }
  }

  async outcome(ending: PageEnding): Promise<BenchOutcome> {
    const { exitCode, problem } = await this.#judge(ending);
    const how: Ending = problem === undefined ? { complete: true } : { complete: false, reason: problem };
    const report = this.#builder.build(how);
    const failed = [...report.results, ...report.experiments].some(({ status }) => status === 'failed');
    const flaw = reportFlaw(report);
    if (flaw !== undefined) throw new Error(`the report of this run breaks its schema: ${flaw}`);
    return {
      report,
      exitCode: exitCode === EXIT.ok && failed ? EXIT.checkFailed : exitCode,
      problem,
      firstResultMs: this.#firstResultMs,
    };
  }

  async #judge(ending: PageEnding): Promise<{ readonly exitCode: number; readonly problem: string | undefined }> {
    switch (ending.kind) {
      case 'ended':
        return { exitCode: EXIT.ok, problem: undefined };
      case 'stopped':
        return { exitCode: EXIT.interrupted, problem: `interrupted after ${this.#howFar()}` };
      case 'timed-out': {
        const seconds = timeoutMs(this.#context.options) / 1000;
        return {
          exitCode: EXIT.checkFailed,
          problem: `timed out: --timeout ${seconds} s reached after ${this.#howFar()}`,
        };
      }
      case 'gone':
        if (!ending.opened && this.#finished.size === 0) throw noStart(this.#context.browser, ending.why);
        return { exitCode: EXIT.checkFailed, problem: `the browser went away after ${this.#howFar()}: ${ending.why}` };
      case 'failed':
        return this.#judgeFailure(ending);
    }
  }

  async #judgeFailure(
    ending: PageEnding & { readonly kind: 'failed' },
  ): Promise<{ readonly exitCode: number; readonly problem: string }> {
    const { failure, message } = ending;
    if (failure === undefined)
      return { exitCode: EXIT.ourBug, problem: `a bug of vramlab, please report it: ${message}` };
    if (this.#finished.size > 0) return { exitCode: EXIT.checkFailed, problem: message };
    if (failure.kind === 'unsupported' && this.#context.options.adapter === 'hardware') {
      throw noHardware(await this.#describeAny(), this.#flags);
    }
    throw new AppError(failure, message);
  }

  /** What the browser has when hardware is not insisted on: so that the person reads what was found instead. */
  async #describeAny(): Promise<Environment | undefined> {
    let found: Environment | undefined;
    await runPage({
      browser: this.#context.browser,
      flags: graphicsFlags('any', this.#context.options.headed),
      task: { kind: 'describe', adapter: 'any' },
      timeoutMs: DESCRIBE_LIMIT_MS,
      stopped: this.#context.stopped,
      onMessage: (message) => {
        if (message.kind === 'event' && message.event.kind === 'environment') found = message.event.environment;
      },
    });
    return found;
  }

  #howFar(): string {
    if (this.#planned === 0) return 'no row';
    const { number = 1, of = 1 } = this.#round ?? {};
    const again = number > 1 ? `, in round ${number} of ${of}` : '';
    return `${this.#finished.size} of ${this.#planned} rows${again}`;
  }
}
