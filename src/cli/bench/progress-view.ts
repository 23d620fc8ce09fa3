/** Shows how far a run is, on stderr: a bar on a terminal, plain lines elsewhere. */
import { formatDuration } from '../../base/format.js';
import type { Progress } from '../../engine/protocol.js';
import { describeExperiment, formatValue } from '../../model/report/present.js';
import type { Experiment, Row } from '../../model/report/schema.js';

/** The part of a stream that is needed: `process.stderr`, or a test's own. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressView {
  progressed(progress: Progress): void;
  rowFinished(row: Row): void;
  experimentFinished(experiment: Experiment): void;
  /** Clears the bar, so that what is written next stands on a line of its own. */
  end(): void;
}

/** A log that says nothing for longer looks stuck. */
const QUIET_MS = 5000;
const BAR_WIDTH = 24;
const CLEAR_LINE = '\r\x1b[K';

const SILENT: ProgressView = {
  progressed: () => undefined,
  rowFinished: () => undefined,
  experimentFinished: () => undefined,
  end: () => undefined,
};

/** `quiet` gives a view that shows nothing. */
export function createProgressView(stream: ProgressStream, quiet: boolean): ProgressView {
  if (quiet) return SILENT;
  return stream.isTTY === true ? barView(stream) : lineView(stream);
}

function barView(stream: ProgressStream): ProgressView {
  return {
    progressed: (progress) => {
      stream.write(CLEAR_LINE + progressBar(progress, stream.columns ?? 80));
    },
    rowFinished: () => undefined,
    experimentFinished: () => undefined,
    end: () => {
      stream.write(CLEAR_LINE);
    },
  };
}

/** A bar, the count, the time left and the row in work, cut to the width of the terminal. */
export function progressBar(progress: Progress, columns: number): string {
  const share = progress.total === 0 ? 0 : Math.min(1, progress.done / progress.total);
  const filled = Math.round(share * BAR_WIDTH);
  const bar = '#'.repeat(filled) + '.'.repeat(BAR_WIDTH - filled);
  return `[${bar}] ${placeOf(progress, 0)}${timeLeft(progress)} ${progress.id}`.slice(0, columns - 1);
}

/** Rows of the round in work, and which round it is where there are several. */
function placeOf({ done, total, round }: Progress, finished: 0 | 1): string {
  if (round === undefined) return `${Math.min(done + finished, total)}/${total}`;
  const rows = `${round.done + finished}/${round.rows}`;
  return round.of === 1 ? rows : `${rows} round ${round.number}/${round.of}`;
}

/** One line a result, and one now and then while the run goes back to rows for more samples. */
function lineView(stream: ProgressStream): ProgressView {
  let state: Progress = { done: 0, total: 0, id: '' };
  let written = Date.now();
  const write = (text: string): void => {
    written = Date.now();
    stream.write(`vramlab: ${text}\n`);
  };
  // Progress is told before a row starts: with its result in, one more is done.
  const place = (finished: 0 | 1): string =>
    state.total === 0 ? '' : `${placeOf(state, finished)}${timeLeft(state)} `;
  return {
    progressed: (progress) => {
      state = progress;
      if (progress.id !== '' && Date.now() - written > QUIET_MS) write(`${place(0)}${progress.id} again`);
    },
    rowFinished: (row) => {
      write(`${place(1)}${row.id} ${resultOf(row)}`);
    },
    experimentFinished: (experiment) => {
      write(`${place(1)}${experiment.id} ${experimentResultOf(experiment)}`);
    },
    end: () => undefined,
  };
}

const experimentResultOf = (experiment: Experiment): string =>
  experiment.status === 'measured'
    ? describeExperiment(experiment)
    : `${experiment.status}: ${describeExperiment(experiment)}`;

const timeLeft = ({ remainingNs }: Progress): string =>
  remainingNs === undefined ? '' : `, ${formatDuration(remainingNs)} left,`;

const resultOf = (row: Row): string =>
  row.status === 'measured' ? formatValue(row.value, row.unit) : `${row.status}: ${row.reason}`;
