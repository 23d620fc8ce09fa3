/** A what-if row as two runs for the Lab: the program under the settings of the baseline, and under the changed ones. */
import { msg } from '@lit/localize';
import { isSnapshotDiagnosis } from '../../model/diagnose/card/sums.js';
import { isExact } from '../../model/snapshot/fidelity.js';
import { type LabRequest, NO_WORDS } from '../handover.js';
import { modelWords } from '../model-words.js';
import { type ReadyFile } from './desk-state.js';
import { fidelityWords } from './diagnose-words.js';

/** Undefined for a row that is gone or has no answer to look at. */
export function labRequestOf({ name, diagnosis, snapshot }: ReadyFile, id: number): LabRequest | undefined {
  if (snapshot?.sweep.phase !== 'ready') return undefined;
  const { input, rows, capacity, conf } = snapshot.sweep;
  const [first] = rows;
  const chosen = rows.find((row) => row.id === id);
  const [recorded] = input.traces;
  const changed = chosen === undefined ? undefined : input.traces[chosen.change.trace];
  if (chosen?.state.phase !== 'done' || first?.state.phase !== 'done') return undefined;
  if (recorded === undefined || changed === undefined) return undefined;
  const { setting, allocator } = chosen.change;
  const fidelity = isSnapshotDiagnosis(diagnosis)
    ? diagnosis.fidelity.find(({ device }) => device === snapshot.device)
    : undefined;
  return {
    name,
    a: {
      label: () => (conf === '' ? msg('recorded settings', { desc: 'label of a run in the Lab' }) : conf),
      trace: recorded,
      allocator: 'caching',
      conf,
    },
    b: {
      label: () => (allocator === 'caching' ? modelWords(setting) : `${allocator} ${modelWords(setting)}`),
      trace: changed,
      allocator,
      conf: chosen.change.conf,
    },
    // Where nobody says how large the device is, both have what the hungrier one takes.
    capacity: capacity ?? Math.max(first.state.row.peak_reserved ?? 0, chosen.state.row.peak_reserved ?? 0),
    note: fidelity === undefined || isExact(fidelity) ? NO_WORDS : () => fidelityWords(fidelity),
  };
}
