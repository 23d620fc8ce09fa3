/** The loss of a device: by the death of the GPU process where the program can end it, by destroy() elsewhere. */
import { type AskHost } from '../../engine/protocol.js';
import { attempt, type Seen, type WatchedDevice } from './attempt.js';

/** How the device was lost, and what was seen of it. */
export interface LossSeen extends Seen {
  readonly by: 'end of the GPU process' | 'destroy()';
  readonly lossReason: string;
}

/** Loses the device in the middle of work. */
export async function provokeLoss(watched: WatchedDevice, ask: AskHost): Promise<LossSeen> {
  let by: LossSeen['by'] = 'destroy()';
  const seen = await attempt(watched, async (device) => {
    const buffer = device.createBuffer({ label: 'in use at the loss', size: 2 ** 20, usage: GPUBufferUsage.COPY_DST });
    device.queue.writeBuffer(buffer, 0, new Uint32Array(256));
    const answer = await ask({ kind: 'end-gpu-process' });
    if (answer.kind === 'done') by = 'end of the GPU process';
    else device.destroy();
    await watched.lostSignal;
  });
  return { ...seen, by, lossReason: watched.lost?.reason ?? 'not told' };
}
