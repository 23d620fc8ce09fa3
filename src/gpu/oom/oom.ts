/**
 * The suite `oom`: every face of failure provoked on purpose and classified, each on a device of its own and followed by
 * a verified run on a new one. A journal is written before each risky step.
 */
import { formatBytes } from '../../base/format.js';
import { MiB } from '../../base/units.js';
import { crashWords, type JournalEntry } from '../../model/journal/journal.js';
import { type RowContext, type Suite } from '../suite.js';
import { WatchedDevice } from './attempt.js';
import { type Face, FACES } from './faces.js';
import { journaled, lastEntry } from './journal-store.js';
import { provokeLoss } from './loss.js';
import { largestBuffer, largestTotal } from './ramp.js';
import { countObjects, MOST_OBJECTS } from './object-count.js';
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
      ...(request.preset === 'full' ? [oomJob('object-count', showObjectCount)] : []),
      // Last: it takes the GPU process with it.
      oomJob('loss', showLoss, true),
    ],
    dispose: () => undefined,
  }),
};

/** What the run before left behind; read before anything of this run is written. */
async function tellJournal({ askHost }: RowContext): Promise<Facts> {
  const entry: JournalEntry | undefined = await lastEntry(askHost);
  const words = crashWords(entry);
  return {
    status: 'measured',
    ...(entry === undefined ? {} : { lastStep: entry.step, lastSafeBytes: entry.lastSafeBytes }),
    endedWell: words === undefined,
    says: words ?? 'the last run ended its risky steps, or there was none',
  };
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
        reason: `maxBufferSize (${formatBytes(bytes)}) is over the budget; give a larger --budget`,
      };
    }
    const seen = await journaled(context.askHost, { step: face.about, bytes }, () => face.provoke(watched));
    const recovery = await recover(context);
    const common = { provoked: face.id, about: face.about, expected: face.expected, ...seen, ...recovery };
    if (seen.observed === face.expected) return { status: 'measured', ...common };
    // Memory that is there is no failure of ours.
    const reason =
      seen.observed === 'none'
        ? `this device gives ${formatBytes(bytes)}: nothing to see`
        : `${face.expected} was expected, ${seen.observed} was seen: ${seen.message}`;
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
  return { status: 'failed', reason: recovery.says ?? `a loss was expected, ${seen.observed} was seen`, ...common };
}

async function showLargestBuffer(context: RowContext): Promise<Facts> {
  const device = await context.openDevice();
  try {
    const most = Math.min(device.limits.maxBufferSize, context.request.budgetBytes);
    const step = { step: 'search for the largest buffer', bytes: most };
    const observedBytes = await journaled(context.askHost, step, () => largestBuffer(device, most, context.signal));
    return {
      status: 'measured',
      observedBytes,
      boundBytes: most,
      says: `the largest buffer observed has ${formatBytes(observedBytes)} (searched up to ${formatBytes(most)})`,
    };
  } finally {
    device.destroy();
  }
}

async function showObjectCount(context: RowContext): Promise<Facts> {
  const device = await context.openDevice();
  try {
    const step = { step: 'count of tiny buffers', bytes: MOST_OBJECTS * 256 };
    const count = await journaled(context.askHost, step, () => countObjects(device, MOST_OBJECTS, context.signal));
    return { status: 'measured', observedObjects: count.objects, boundObjects: MOST_OBJECTS, ...count };
  } finally {
    device.destroy();
  }
}

/** Buffers of the search for a total: few creations, and under every device's limit. */
const TOTAL_STEP = MiB(64);

async function showLargestTotal(context: RowContext): Promise<Facts> {
  const device = await context.openDevice();
  const { budgetBytes } = context.request;
  try {
    const step = { step: 'search for the largest total', bytes: budgetBytes };
    const total = await journaled(context.askHost, step, () =>
      largestTotal(device, TOTAL_STEP, budgetBytes, context.signal),
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
    device.destroy();
  }
}
