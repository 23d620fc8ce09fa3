/**
 * Ctrl-C, `kill` and a closed terminal, as a promise. Under npm and npx a shell or our own starter stands between them and
 * us, which may die of a signal without passing it on, or live on when npm dies: there, losing the parent or its parent
 * counts as a SIGTERM. Elsewhere it does not, because a run may be left to itself on purpose (`vramlab bench &`, then
 * logging out).
 */
import { readFileSync } from 'node:fs';
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
  const before = ancestors();
  const watch = setInterval(() => {
    if (startedByNpm && ancestors() !== before) listener('SIGTERM');
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

/** Parent and, where the system shows it (Linux), its parent. */
function ancestors(): string {
  const parent = process.ppid;
  try {
    // "pid (name) state parent ...": the name may hold spaces and brackets.
    const [, grandparent = ''] = (readFileSync(`/proc/${parent}/stat`, 'utf8').split(') ').at(-1) ?? '').split(' ');
    return `${parent} ${grandparent}`;
  } catch {
    // Another system, or the parent went this moment: its number will tell.
    return String(parent);
  }
}
