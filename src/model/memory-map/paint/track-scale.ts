/** Where things of the tracks are on their picture: one plot a run, one under the other, on one scale of bytes. */
import { type TrackLevels, type TrackWindow } from '../track-columns.js';
import { type PictureFrame } from './picture.js';

/** Room around the plots, in pixels of the design. */
export const TRACK_MARGIN = { left: 60, right: 148, top: 8, bottom: 22, between: 10 } as const;

const HEADROOM = 1.06;
/** A capacity so many times the peak is out of the picture, so that what was used can be seen. */
const FAR_OFF = 4;

/** Pixels from the left edge of the picture to a position. */
export function trackX(frame: PictureFrame, window: TrackWindow, position: number): number {
  const left = TRACK_MARGIN.left * frame.scale;
  const width = plotWidth(frame);
  return left + ((position - window.from) / (window.to - window.from)) * width;
}

/** Pixels that the plots are wide. */
export const plotWidth = (frame: PictureFrame): number =>
  Math.max(1, Math.round(frame.width - (TRACK_MARGIN.left + TRACK_MARGIN.right) * frame.scale));

export class TrackScale {
  /** Pixels of a hairline. */
  readonly line: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
  /** Bytes at the top of a plot. */
  readonly most: number;

  constructor(
    readonly frame: PictureFrame,
    levels: readonly TrackLevels[],
  ) {
    const { top, bottom, between, left } = TRACK_MARGIN;
    this.line = Math.max(1, Math.round(frame.scale));
    this.left = Math.round(left * frame.scale);
    this.width = plotWidth(frame);
    const room = frame.height - (top + bottom + between * (levels.length - 1)) * frame.scale;
    this.height = Math.max(1, Math.floor(room / Math.max(1, levels.length)));
    const peak = Math.max(1, ...levels.map((each) => each.peak));
    const capacity = Math.max(0, ...levels.map(({ run }) => run.capacity ?? 0));
    this.most = HEADROOM * (capacity <= FAR_OFF * peak ? Math.max(capacity, peak) : peak);
  }

  /** First row of the plot of a run. */
  topOf(index: number): number {
    const { top, between } = TRACK_MARGIN;
    return Math.round((top + index * between) * this.frame.scale) + index * this.height;
  }

  /** Row of so many bytes in the plot that begins at `top`. */
  yOf(top: number, bytes: number): number {
    return top + this.height - Math.round((bytes / this.most) * this.height);
  }

  /** The largest value that has a mark: the capacity of a run where that is on the picture. */
  highestOf(capacity: number | undefined): number {
    return Math.min(capacity ?? Infinity, this.most / HEADROOM);
  }
}
