/** What the experiments of this suite share: their job, and the proof of a recovery. */
import { messageOf } from '../../base/errors.js';
import { RESTART_WORDS } from '../../model/failure/classify.js';
import { type Experiment } from '../../model/report/schema.js';
import { proveDevice } from '../bench.js';
import { experimentResult, type Job, type RowContext } from '../suite.js';

/** What an experiment says beside its name. */
export type Facts = Readonly<Record<string, unknown>> & Pick<Experiment, 'status'> & { readonly reason?: string };

/** A job whose experiment is what `work` says. */
export const oomJob = (id: string, work: (context: RowContext) => Promise<Facts>, losesDevice = false): Job => ({
  id: `oom/${id}`,
  suite: 'oom',
  kind: 'experiment',
  measures: '',
  losesDevice,
  run: async (context) => experimentResult({ id: `oom/${id}`, suite: 'oom', ...(await work(context)) }),
});

/** A verified run on a new device: the proof that the page can go on, or what the person must do. */
export async function recover(
  context: RowContext,
): Promise<{ recovered: boolean; recoveryNs?: number; says?: string }> {
  const begin = performance.now();
  let device: GPUDevice | undefined;
  try {
    device = await context.openDevice();
    await proveDevice(device);
    return { recovered: true, recoveryNs: Math.round((performance.now() - begin) * 1e6) };
  } catch (error) {
    return { recovered: false, says: `${messageOf(error)}; ${RESTART_WORDS}` };
  } finally {
    device?.destroy();
  }
}
