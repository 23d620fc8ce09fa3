/** A bench on the browser's own adapter for GPU tests. */
import { type AskHost, type RunRequest } from '../../engine/protocol.js';
import { closeBench, openBench, proveDevice } from '../bench.js';
import { environmentOf } from '../environment.js';
import { GpuSession } from '../session.js';
import { noHistory, type RowContext } from '../suite.js';

export const TEST_REQUEST: RunRequest = {
  suites: ['tiers'],
  preset: 'quick',
  budgetBytes: 2 ** 30,
  seed: 7,
  adapter: 'any',
};

export const HOST = { userAgent: navigator.userAgent, platform: '', hardwareConcurrency: 1, crossOriginIsolated: true };

/** Answers as a page does: there is no program to ask. */
export const NOBODY: AskHost = () => Promise.resolve({ kind: 'unavailable', reason: 'a test has no program' });

/** Opens a session and a bench, hands them to the test, closes both and checks that no buffer is left. */
export async function withBench(test: (context: RowContext, session: GpuSession) => Promise<void>): Promise<void> {
  const session = await GpuSession.open(navigator.gpu, 'any', proveDevice);
  try {
    const bench = await openBench(session, TEST_REQUEST.budgetBytes);
    const environment = environmentOf(HOST, session.adapterFacts, bench.clock.facts());
    const { signal } = new AbortController();
    try {
      await test(
        {
          bench,
          environment,
          request: TEST_REQUEST,
          signal,
          askHost: NOBODY,
          openDevice: () => session.openAnother(),
          history: noHistory(),
        },
        session,
      );
      const errors = session.takeErrors();
      if (errors.length > 0) throw new Error(`uncaptured: ${errors.join('; ')}`);
    } finally {
      closeBench(bench);
    }
  } finally {
    session.close();
  }
}
