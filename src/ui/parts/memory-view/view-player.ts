import { type ReactiveController, type ReactiveControllerHost } from 'lit';

/** What it plays: positions of a run. */
export interface Playable {
  readonly position: number;
  /** The last position. */
  readonly lastPosition: number;
  /** Positions a second. */
  readonly pace: number;
  /** The next position after one at which playing pauses by itself; undefined without one. */
  pauseAfter(position: number): number | undefined;
  moveTo(position: number, isPlaying: boolean): void;
}

/** Moves the playhead while it plays: data moves, nothing is eased. Stops at the end, at a failure, and on a hidden tab. */
export class PlayerController implements ReactiveController {
  #frame = 0;
  #last = 0;
  /** Where the playhead is between two positions. */
  #exact = 0;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly played: Playable,
  ) {
    host.addController(this);
  }

  get isPlaying(): boolean {
    return this.#frame !== 0;
  }

  hostConnected(): void {
    document.addEventListener('visibilitychange', this.#onVisibility);
  }

  hostDisconnected(): void {
    document.removeEventListener('visibilitychange', this.#onVisibility);
    this.pause();
  }

  /** From the start where it has come to the end. */
  play(): void {
    if (this.isPlaying) return;
    const { host, played } = this;
    this.#exact = played.position >= played.lastPosition ? -1 : played.position;
    this.#last = performance.now();
    this.#frame = requestAnimationFrame(this.#onFrame);
    host.requestUpdate();
  }

  pause(): void {
    if (!this.isPlaying) return;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.host.requestUpdate();
  }

  readonly #onVisibility = (): void => {
    if (document.hidden) this.pause();
  };

  readonly #onFrame = (now: number): void => {
    const { played } = this;
    const from = Math.floor(this.#exact);
    this.#exact += (Math.max(0, now - this.#last) / 1000) * played.pace;
    this.#last = now;
    const stop = played.pauseAfter(from) ?? played.lastPosition;
    const to = Math.min(Math.floor(this.#exact), stop);
    if (to >= stop) {
      this.pause();
      played.moveTo(to, false);
      return;
    }
    if (to !== played.position) played.moveTo(to, true);
    this.#frame = requestAnimationFrame(this.#onFrame);
  };
}
