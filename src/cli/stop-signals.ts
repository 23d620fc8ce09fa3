/** Ctrl-C, `kill` and a closed terminal, as a promise. */
import process from 'node:process';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type StopSignal = (typeof SIGNALS)[number];

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
  return {
    stopped,
    release: () => {
      for (const signal of SIGNALS) process.off(signal, listener);
    },
  };
}
