/** Golden snapshot pickles against the pickle of the model's run: all members, the history as far as the golden one goes. */
import { plainCopy } from '../snapshot/pickle/plain-copy.js';
import { writeSnapshot } from '../snapshot/write-snapshot.js';
import { type PickleDocument, readPickle, type Value } from '../snapshot/pickle/pickle-document.js';
import { type FindTrace, KEPT_ENTRIES, recordedEnd } from './recorded-end.js';
import { type Tally } from './tally.js';

/**
 * Checks one pickle; `name` is the trace that it was made from.
 * Throws `AppError` (`bad-input`) for what is no pickle, or where the trace is not there.
 */
export function checkGoldenPickle(
  bytes: Uint8Array,
  source: string,
  name: string,
  findTrace: FindTrace,
  tally: Tally,
): void {
  const golden = membersOf(readPickle(bytes, source));
  const { heap, allocator, conf } = recordedEnd(name, source, findTrace);
  const { settings, history } = allocator;
  const ours = writeSnapshot({
    heap,
    history,
    settings: { ...settings, conf, maxSplitSize: settings.reportedMaxSplitSize },
  });
  const model = membersOf(readPickle(ours, 'the pickle of the model'));
  tally.equal(() => 'members', [...model.keys()], [...golden.keys()]);
  for (const [key, want] of golden) {
    const got = (model.get(key) ?? []).slice(0, key.startsWith('device_traces') ? KEPT_ENTRIES : undefined);
    tally.equal(() => `${key}, length`, got.length, want.length);
    want.forEach((item, i) => {
      tally.equal(() => `${key} ${i}`, got[i], item);
    });
  }
}

/** The members of a snapshot as plain data, item by item; each device's trace is a member of its own. */
function membersOf(document: PickleDocument): Map<string, unknown[]> {
  const members = new Map<string, unknown[]>();
  const itemsOf = (value: Value): unknown[] => {
    const items: unknown[] = [];
    document.forEachItem(value, (item) => items.push(plainCopy(document, item)));
    return items;
  };
  document.forEachEntry(document.root, (key, value) => {
    if (key !== 'device_traces') {
      members.set(key, document.isSequence(value) ? itemsOf(value) : [plainCopy(document, value)]);
      return;
    }
    let device = 0;
    document.forEachItem(value, (trace) => members.set(`${key} ${device++}`, itemsOf(trace)));
  });
  return members;
}
