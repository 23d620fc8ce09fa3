/** Where the playhead goes: by operations, by markers, to failures, and on its own while it plays. */
import { type ReactiveControllerHost } from 'lit';
import { type ViewData } from './view-data.js';
import { type Playable, PlayerController } from './view-player.js';

/** The view, as far as the playhead goes. */
export interface PlayedView extends ReactiveControllerHost {
  readonly position: number;
  readonly data: ViewData;
  moveTo(position: number, isPlaying: boolean): void;
}

/** Steps of the program a second, and seconds for the whole run where it names none. */
const STEP_SPEEDS = [0.5, 1, 2, 5, 20];
const WHOLE_SPEEDS = [60, 30, 10, 5];

export class ViewPlayhead implements Playable {
  readonly #player: PlayerController;
  #speedIndex = 1;

  constructor(private readonly view: PlayedView) {
    this.#player = new PlayerController(view, this);
  }

  get position(): number {
    return this.view.position;
  }

  get lastPosition(): number {
    return this.view.data.last;
  }

  get pace(): number {
    const { steps, last } = this.view.data;
    return steps === undefined ? (last + 1) / this.speed : (this.speed * (last + 1)) / Math.max(1, steps.count);
  }

  pauseAfter(position: number): number | undefined {
    return this.view.data.stopAfter(position);
  }

  moveTo(position: number, isPlaying: boolean): void {
    this.view.moveTo(position, isPlaying);
  }

  get isPlaying(): boolean {
    return this.#player.isPlaying;
  }

  /** Plays on from the playhead, or pauses. */
  toggle(): void {
    if (this.isPlaying) this.#player.pause();
    else this.#player.play();
  }

  /** Pauses and goes to a position. */
  goTo(position: number): void {
    this.#player.pause();
    this.view.moveTo(position, false);
  }

  /** Goes to the next marker of the program or the last one, or by a hundredth where it names none. */
  stepMarker(direction: -1 | 1): void {
    const { position } = this.view;
    const { axis, last } = this.view.data;
    const { markers } = axis;
    if (markers.length === 0) {
      this.goTo(position + direction * Math.max(1, Math.round(last / 100)));
      return;
    }
    const next =
      direction === 1
        ? markers.find((marker) => marker.position > position)
        : markers.findLast((marker) => marker.position < position);
    this.goTo(next?.position ?? (direction === 1 ? last : -1));
  }

  /** Goes to the next failure, after the last one to the first. Only pauses where nothing failed. */
  goToFailure(): void {
    const at = this.view.data.failureAfter(this.view.position);
    if (at === undefined) this.#player.pause();
    else this.goTo(at);
  }

  get speeds(): readonly number[] {
    return this.view.data.steps === undefined ? WHOLE_SPEEDS : STEP_SPEEDS;
  }

  get speed(): number {
    return this.speeds[this.#speedIndex] ?? 1;
  }

  /** Plays at one of `speeds` from now on. */
  setSpeed(speed: number): void {
    this.#speedIndex = Math.max(0, this.speeds.indexOf(speed));
    this.view.requestUpdate();
  }
}
