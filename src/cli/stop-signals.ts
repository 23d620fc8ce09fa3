/**
 * Ctrl-C, `kill` and a closed terminal, as a promise. Under npm and npx a shell stands between them and us, which dies of
 * a SIGTERM without passing it on: there, losing the parent counts as one. Elsewhere it does not, because a run may be
 * left to itself on purpose (`vramlab bench &`, then logging out).
 */
import process from 'node:process';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type StopSignal = (typeof SIGNALS)[number];

const PARENT_CHECK_MS = 500;
const startedByNpm = process.env['npm_lifecycle_event'] !== undefined;

export interface StopWatch {
  /** Settles with the first signal. Later ones change nothing: npm and a terminal may each pass on the same Ctrl-C. */
  readonly stopped: Promise<StopSignal>;
  /** Gives the signals back their usual effect. */
  readonly release: () => void;
}

/** From now on a stop signal no longer ends the process by itself. */
export function watchStopSignals(): StopWatch {
  let listener: (signal: StopSignal) => void = () => undefined;
  const stopped = new Promise<StopSignal>((resolve) => {
    listener = resolve;
  });
  for (const signal of SIGNALS) process.on(signal, listener);
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (startedByNpm && process.ppid !== parent) listener('SIGTERM');
  }, PARENT_CHECK_MS);
  watch.unref();
  return {
    stopped,
    release: () => {
      clearInterval(watch);
      for (const signal of SIGNALS) process.off(signal, listener);
    },
  };
}
