/** A snapshot in words: its final state, where its free memory lies, and what `empty_cache()` would give back. */
import { formatNumber } from '../../../base/format.js';
import { type RecordedSnapshot } from '../../snapshot/recorded-snapshot.js';
import { type SnapshotState, snapshotState } from '../../snapshot/snapshot-state.js';
import { DIAGNOSIS_SCHEMA, DIAGNOSIS_VERSION, type Diagnosis } from '../diagnosis.js';
import { showSize } from '../texts/printed-size.js';

export interface SnapshotDiagnosis extends Diagnosis {
  readonly kind: 'snapshot';
  readonly state: SnapshotState;
}

/** Explains what a snapshot holds at its end. */
export function explainSnapshot(snapshot: RecordedSnapshot): SnapshotDiagnosis {
  const state = snapshotState(snapshot);
  const devices = [...new Set(snapshot.segments.map(({ device }) => device))].sort((a, b) => a - b);
  const events = snapshot.traces.reduce((total, trace) => total + trace.count, 0);
  return {
    schema: DIAGNOSIS_SCHEMA,
    version: DIAGNOSIS_VERSION,
    kind: 'snapshot',
    framework: 'pytorch-cuda',
    facts: { ...state, devices, trace_events: events },
    ranges: {},
    verdict: 'unknown',
    why: `unknown, because the trace holds no failed request${events === 0 ? ': no history was recorded' : ''}`,
    steps: stateSteps(state),
    advice: stateAdvice(state, events),
    oddities: [],
    state,
  };
}

function stateSteps(state: SnapshotState): string[] {
  const free = state.inactive_bytes;
  const scattered = free === 0 ? 0 : 1 - state.largest_inactive_block / free;
  return [
    `reserved ${showSize(state.reserved_bytes)} in ${formatNumber(state.segments)} segments and ${formatNumber(state.blocks)} blocks`,
    `allocated ${showSize(state.allocated_bytes)}, active ${showSize(state.active_bytes)}`,
    `inactive ${showSize(free)}, the largest free block ${showSize(state.largest_inactive_block)}: external fragmentation ` +
      `1 - largest / free = ${formatNumber(scattered, 3)}`,
    `${showSize(state.releasable_segments_bytes)} lies in segments without a block in use: empty_cache() gives that back; ` +
      `${showSize(Math.max(0, free - state.releasable_segments_bytes))} is held by segments that are partly in use`,
  ];
}

function stateAdvice(state: SnapshotState, events: number): string[] {
  const lines: string[] = [];
  if (events === 0) {
    lines.push(
      'Record a history (torch.cuda.memory._record_memory_history()) before the part that fails: with a trace the state at ' +
        'the failure can be rebuilt.',
    );
  }
  if (state.active_bytes > state.allocated_bytes) {
    lines.push(
      `${showSize(state.active_bytes - state.allocated_bytes)} is freed but still used by another stream (record_stream): it ` +
        'comes back only when that stream has passed.',
    );
  }
  return lines;
}
