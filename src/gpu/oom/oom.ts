/**
 * The suite `oom`: every face of failure provoked on purpose and classified, each on a device of its own and followed by
 * a verified run on a new one. A journal is written before each risky step.
 */
import { formatBytes } from '../../base/format.js';
import { say } from '../../base/said.js';
import { MiB } from '../../base/units.js';
import { type Preset } from '../../model/report/schema.js';
import { crashWords } from '../../model/journal/journal.js';
import { type RowContext, type Suite } from '../suite.js';
import { WatchedDevice } from './attempt.js';
import { type Face, FACES } from './faces.js';
import { journaled, journalOf } from './journal-store.js';
import { provokeLoss } from './loss.js';
import { largestBuffer, largestTotal } from './ramp.js';
import { countObjects, mostObjects } from './object-count.js';
import { provokeHang } from './hang.js';
import { climb } from './spill.js';
import { type Facts, oomJob, recover } from './oom-job.js';
import { stressJobs } from './stress.js';

export const oom: Suite = {
  rows: (_environment, request) => ({
    jobs: [
      oomJob('journal', tellJournal),
      ...FACES.map((face) => oomJob(face.id, (context) => showFace(context, face))),
      ...stressJobs(request.preset),
      oomJob('largest-buffer', showLargestBuffer),
      oomJob('largest-total', showLargestTotal),
      ...(request.preset === 'full'
        ? [oomJob('object-count', showObjectCount), oomJob('spilled', showSpill), oomJob('hang', showHang)]
        : []),
      // Last: it takes the GPU process with it.
      oomJob('loss', showLoss, true),
    ],
    dispose: () => undefined,
  }),
};

/** What the run before left behind. */
function tellJournal({ earlierJournal: entry }: RowContext): Promise<Facts> {
  const words = crashWords(entry);
  return Promise.resolve({
    status: 'measured',
    ...(entry === undefined ? {} : { lastStep: entry.step, lastSafeBytes: entry.lastSafeBytes }),
    endedWell: words === undefined,
    says: words ?? 'the last run ended its risky steps, or there was none',
  });
}

async function showFace(context: RowContext, face: Face): Promise<Facts> {
  const { environment, request } = context;
  const watched = new WatchedDevice(await context.openDevice());
  try {
    const bytes = face.bytes(watched.device.limits);
    // A hardware adapter may well give maxBufferSize: then it must lie within the budget.
    if (face.id === 'create-max' && environment.adapter.class === 'hardware' && bytes > request.budgetBytes) {
      return {
        status: 'skipped',
        reason: say`maxBufferSize (${formatBytes(bytes)}) is over the budget; give a larger --budget`,
      };
    }
    const seen = await journaled(context.askHost, { step: face.about, bytes }, () => face.provoke(watched));
    const recovery = await recover(context);
    const common = { provoked: face.id, about: face.about, expected: face.expected, ...seen, ...recovery };
    if (seen.observed === face.expected) return { status: 'measured', ...common };
    // Memory that is there is no failure of ours.
    const reason =
      seen.observed === 'none'
        ? say`this device gives ${formatBytes(bytes)}: nothing to see`
        : say`${face.expected} was expected, ${seen.observed} was seen: ${seen.message}`;
    return { status: seen.observed === 'none' ? 'skipped' : 'failed', reason, ...common };
  } finally {
    watched.device.destroy();
  }
}

async function showLoss(context: RowContext): Promise<Facts> {
  const watched = new WatchedDevice(await context.openDevice());
  const step = { step: 'loss of the device', bytes: MiB(1) };
  const seen = await journaled(context.askHost, step, () => provokeLoss(watched, context.askHost));
  const recovery = await recover(context);
  const common = { provoked: 'loss', expected: 'lost', ...seen, ...recovery };
  if (seen.observed === 'lost' && recovery.recovered) return { status: 'measured', ...common };
  return { status: 'failed', reason: recovery.says ?? say`a loss was expected, ${seen.observed} was seen`, ...common };
}

/** Parts of the bound to which the largest buffer is found. */
const SEARCH_STEPS: Readonly<Record<Preset, number>> = { quick: 16, standard: 128, full: 1024 };

async function showLargestBuffer(context: RowContext): Promise<Facts> {
  const device = await context.openDevice();
  try {
    const most = Math.min(device.limits.maxBufferSize, context.request.budgetBytes);
    const step = { step: 'search for the largest buffer', bytes: most };
    // In steps: creating a buffer near the limit takes up to a second on a software adapter.
    const stepBytes = Math.max(MiB(1), Math.floor(most / SEARCH_STEPS[context.request.preset]));
    const observedBytes = await journaled(context.askHost, step, () =>
      largestBuffer(device, most, context.signal, stepBytes),
    );
    return {
      status: 'measured',
      observedBytes,
      boundBytes: most,
      stepBytes,
      says: `the largest buffer observed has ${formatBytes(observedBytes)} (searched up to ${formatBytes(most)}, in steps of ${formatBytes(stepBytes)})`,
    };
  } finally {
    device.destroy();
  }
}

async function showObjectCount(context: RowContext): Promise<Facts> {
  const device = await context.openDevice();
  try {
    const most = mostObjects(context.request.budgetBytes);
    const step = { step: `count of up to ${most} tiny buffers`, bytes: most * 256 };
    const { objects, refusal } = await journaled(context.askHost, step, () =>
      countObjects(device, most, context.signal),
    );
    const end = refusal === undefined ? 'the bound ended the search' : `the device refused more: ${refusal}`;
    return {
      status: 'measured',
      observedObjects: objects,
      boundObjects: most,
      endedByBound: refusal === undefined,
      says: `${objects} buffers of 256 B observed at once; ${end}`,
    };
  } finally {
    device.destroy();
  }
}

/** How the memory of the device ends where nothing is refused. */
async function showSpill(context: RowContext): Promise<Facts> {
  const { budgetBytes } = context.request;
  const device = await context.openDevice();
  const steps = journalOf(context.askHost);
  try {
    const ramp = await climb(device, budgetBytes, context.signal, (bytes, lastSafeBytes) =>
      steps.next({ step: 'allocate-and-touch ramp', bytes, lastSafeBytes }),
    );
    const { cliff, refusal } = ramp;
    const held = ramp.steps.at(-1)?.heldBytes ?? 0;
    device.destroy();
    const recovery = await recover(context);
    return {
      status: 'measured',
      provoked: 'spilled',
      observed: cliff === undefined ? (refusal === undefined ? 'none' : 'out-of-memory') : 'spilled',
      ...recovery,
      ramp: ramp.steps,
      boundBytes: budgetBytes,
      ...(cliff === undefined ? {} : { cliff }),
      ...(refusal === undefined ? {} : { refusal }),
      says:
        cliff !== undefined
          ? `with ${formatBytes(cliff.heldBytes)} held the bandwidth fell from ${cliff.usualRate.toFixed(1)} to ${cliff.rate.toFixed(1)} GB/s: memory was spilled (${formatBytes(cliff.lastGoodBytes)} were fast; that is no capacity)`
          : `no cliff up to ${formatBytes(held)}: ${refusal ?? 'the budget ended the ramp'}`,
    };
  } finally {
    await steps.end();
    device.destroy();
  }
}

async function showHang(context: RowContext): Promise<Facts> {
  const watched = new WatchedDevice(await context.openDevice());
  try {
    const step = { step: 'a dispatch of seconds', bytes: 0 };
    const seen = await journaled(context.askHost, step, () => provokeHang(watched, context.signal));
    watched.device.destroy();
    const recovery = await recover(context);
    const common = { provoked: 'hang', expected: 'hang', ...seen, ...recovery };
    // A watchdog of the system ends the dispatch by taking the device.
    if (['hang', 'lost'].includes(seen.observed)) return { status: 'measured', ...common };
    return {
      status: 'failed',
      reason: say`a hang was expected, ${seen.observed} was seen: ${seen.message}`,
      ...common,
    };
  } finally {
    watched.device.destroy();
  }
}

/** Buffers of the search for a total: few creations, and under every device's limit. */
const TOTAL_STEP = MiB(64);

async function showLargestTotal(context: RowContext): Promise<Facts> {
  const device = await context.openDevice();
  const { budgetBytes } = context.request;
  const steps = journalOf(context.askHost);
  try {
    const total = await largestTotal(device, TOTAL_STEP, budgetBytes, context.signal, (bytes, lastSafeBytes) =>
      steps.next({ step: 'search for the largest total', bytes, lastSafeBytes }),
    );
    const end = total.endedByBudget ? 'the budget ended the search' : 'the device refused more';
    return {
      status: 'measured',
      observedBytes: total.bytes,
      buffers: total.buffers,
      endedByBudget: total.endedByBudget,
      boundBytes: budgetBytes,
      says: `${formatBytes(total.bytes)} in ${total.buffers} buffers observed; ${end}`,
    };
  } finally {
    await steps.end();
    device.destroy();
  }
}
