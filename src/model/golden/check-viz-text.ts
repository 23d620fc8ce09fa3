/** Texts of PyTorch's `_memory_viz.py` on golden traces, against those made from the model's history and segments. */
import * as v from 'valibot';
import { badInput } from '../../base/errors.js';
import { snapshotSegments } from '../snapshot/snapshot.js';
import { segmentSummary, traceListing } from '../snapshot/viz-text.js';
import { type FindTrace, KEPT_ENTRIES, recordedEnd } from './recorded-end.js';
import { type Tally } from './tally.js';

const texts = v.object({ trace_entries: v.number(), segsum: v.string(), trace: v.string() });
const schema = v.record(v.string(), texts);

/** Whether parsed JSON holds such texts: each member is one trace's. Never throws. */
export function isVizTexts(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const members = Object.values(value) as unknown[];
  return (
    members.length > 0 && members.every((member) => typeof member === 'object' && member !== null && 'segsum' in member)
  );
}

/**
 * Checks one parsed file; returns a line for each trace that is not there to make its texts from.
 * Throws `AppError` (`bad-input`) for a file that is not whole.
 */
export function checkVizTexts(value: unknown, source: string, findTrace: FindTrace, tally: Tally): string[] {
  const file = v.safeParse(schema, value);
  if (!file.success) {
    const [issue] = file.issues;
    throw badInput(source, `${source}: ${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`);
  }
  const missing: string[] = [];
  for (const [name, want] of Object.entries(file.output)) {
    if (findTrace(name) === undefined) {
      missing.push(`texts of ${name} not checked: its trace is not in the folder`);
      continue;
    }
    const { heap, allocator } = recordedEnd(name, source, findTrace);
    const segments = snapshotSegments(heap);
    const entries = Math.min(allocator.history?.length ?? 0, KEPT_ENTRIES);
    tally.equal(() => `${name}, entries`, entries, want.trace_entries);
    compareLines(`${name}, segsum`, segmentSummary(segments), want.segsum, tally);
    compareLines(`${name}, trace`, traceListing(segments, allocator.history, entries), want.trace, tally);
  }
  return missing;
}

function compareLines(what: string, got: string, want: string, tally: Tally): void {
  const [gotLines, wantLines] = [got.split('\n'), want.split('\n')];
  for (let i = 0; i < Math.max(gotLines.length, wantLines.length); i++) {
    tally.equal(() => `${what}, line ${i + 1}`, gotLines[i], wantLines[i]);
  }
}
