/** What carrying out a plan has shown: steps, segments, checks. */
import { type DeviceRefusal } from './segments.js';

/** One training step that was carried out to its end. */
export interface ExecutedStep {
  readonly label: string;
  /** From its first operation to the completion of its last, creation of segments included. */
  readonly wallNs: number;
  /** Sum of the timed passes. */
  readonly gpuNs: number;
  readonly movedBytes: number;
  readonly recopiedBytes: number;
}

/** A tensor that was not whole at its check. */
export interface Corruption {
  readonly tensor: number;
  /** Step of the plan that checked it. */
  readonly step: number;
  readonly words: number;
  readonly firstWord: number;
}

export interface Execution {
  readonly steps: readonly ExecutedStep[];
  readonly created: readonly number[];
  readonly createCalls: number;
  readonly createNs: number;
  readonly destroyed: number;
  readonly fences: number;
  readonly peakHeld: number;
  readonly refusalsMet: number;
  readonly movedBytes: number;
  readonly recopiedBytes: number;
  readonly checkedWords: number;
  readonly corruptions: readonly Corruption[];
  /** The device gave less than the budget: the execution ended there. */
  readonly deviceRefusal?: DeviceRefusal;
}
