/** What pointers and keys do on the tracks: move the playhead, select, zoom and pan. The page owns playhead and range. */
import { TRACK_MARGIN } from '../../../model/memory-map/paint/track-scale.js';
import { type TrackWindow } from '../../../model/memory-map/track-columns.js';
import { panTracks, wholeAxis, zoomTracks } from '../../../model/memory-map/windows.js';
import { TrackPointer } from './track-pointer.js';
import { type PositionRange } from './view-events.js';
import { PAN_KEYS, ZOOM_KEYS } from './view-keys.js';

/** The view, as far as hands on the tracks go. */
export interface HandledTracks {
  state(): TracksState;
  seek(position: number): void;
  select(range: PositionRange | undefined): void;
  /** The tracks show another part of the axis. */
  trackThrough(window: TrackWindow): void;
}

export interface TracksState {
  readonly position: number;
  readonly lastPosition: number;
  readonly range: PositionRange | undefined;
  readonly window: TrackWindow;
  /** The tracks in CSS pixels, and how many of them are one pixel of the design. */
  readonly size: { readonly width: number; readonly scale: number };
}

const SELECT_KEYS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

export class TrackHands {
  readonly pointer: TrackPointer;

  constructor(private readonly tracks: HandledTracks) {
    this.pointer = new TrackPointer({
      seek: (share) => tracks.seek(this.#at(share)),
      select: (from, to) =>
        tracks.select({ from: Math.max(0, this.#at(from)), to: Math.min(tracks.state().lastPosition, this.#at(to)) }),
      zoom: (factor, share) => this.#zoom(factor, share),
      pan: (across) => this.#pan(across),
      plot: () => {
        const { width, scale } = tracks.state().size;
        const { left, right } = TRACK_MARGIN;
        return { left: left * scale, width: width - (left + right) * scale };
      },
    });
  }

  readonly onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const zoom = ZOOM_KEYS[event.code];
    const pan = PAN_KEYS[event.code];
    const select = SELECT_KEYS[event.key];
    if (zoom !== undefined) this.#zoom(zoom, this.#playheadShare());
    else if (pan !== undefined) this.#pan(pan);
    else if (event.key.toLowerCase() === 'f') this.zoomToRange();
    else if (event.key === 'Escape') this.tracks.select(undefined);
    else if (event.shiftKey && select !== undefined) this.#extend(select);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** The selected range fills the tracks; the whole axis where nothing is selected. */
  zoomToRange(): void {
    const { range, lastPosition } = this.tracks.state();
    const length = lastPosition + 1;
    const isWhole = range === undefined || range.to <= range.from;
    this.tracks.trackThrough(isWhole ? wholeAxis(length) : panTracks(range, length, 0));
  }

  #at(share: number): number {
    const { from, to } = this.tracks.state().window;
    return Math.round(from + share * (to - from));
  }

  #playheadShare(): number {
    const { position, window } = this.tracks.state();
    return (position - window.from) / (window.to - window.from);
  }

  #zoom(factor: number, share: number): void {
    const { window, lastPosition } = this.tracks.state();
    this.tracks.trackThrough(zoomTracks(window, lastPosition + 1, factor, share));
  }

  #pan(across: number): void {
    const { window, lastPosition } = this.tracks.state();
    this.tracks.trackThrough(panTracks(window, lastPosition + 1, across));
  }

  /** Selects from where the playhead was to where it goes, a hundredth of the window on. */
  #extend(direction: number): void {
    const { window, range, position, lastPosition } = this.tracks.state();
    const at = Math.max(0, position);
    const step = direction * Math.max(1, Math.round((window.to - window.from) / 100));
    const next = Math.min(Math.max(0, at + step), lastPosition);
    const anchor = range === undefined ? at : range.from === at ? range.to : range.from;
    this.tracks.select({ from: Math.min(anchor, next), to: Math.max(anchor, next) });
    this.tracks.seek(next);
  }
}
