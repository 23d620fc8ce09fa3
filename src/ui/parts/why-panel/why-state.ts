/** What the Why panel shows. */
import { type LabFit } from '../../../model/lab/lab-fits.js';
import { type MomentPin, type MomentWhy } from '../../../model/lab/moment-why.js';
import { type FailureWhy } from '../../../model/lab/why.js';

export type WhyState =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'failure';
      /** `A` or `B`. */
      readonly side: string;
      /** Undefined where the program names no steps. */
      readonly place: string | undefined;
      readonly operation: number;
      readonly why: FailureWhy;
      readonly capacity: number;
      readonly tensorsAlone: number;
      readonly fits: FitsState;
    }
  | {
      readonly kind: 'moment';
      readonly side: string;
      readonly place: string;
      readonly moment: MomentWhy;
      readonly pins: readonly NamedPin[];
      /** Peaks of both sides, where neither failed. */
      readonly bothFit: readonly [number, number] | undefined;
    };

export interface NamedPin extends MomentPin {
  readonly name: string;
}

export interface FitsState {
  readonly rows: readonly NamedFit[];
  readonly done: number;
  /** 0 before it is known. */
  readonly total: number;
  readonly phase: 'running' | 'done' | 'stopped';
}

export interface NamedFit extends LabFit {
  /** The change in words. */
  readonly words: string;
}
