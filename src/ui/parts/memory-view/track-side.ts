/** The tracks with the playhead on them, the playhead as a plain slider, and the events of the runs. */
import { msg } from '@lit/localize';
import { html, noChange, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { formatNumber } from '../../../base/format.js';
import '../event-list/event-list.js';
import { type OperationChosenEvent } from '../event-list/event-list.js';
import { type TrackHands } from './track-hands.js';
import { type ViewState } from './view-state.js';
import { whereWords } from './view-words.js';

export interface TrackSide {
  readonly state: ViewState;
  readonly hands: TrackHands;
  /** Number of the canvases: another one asks for new ones. */
  readonly generation: number;
  readonly isPlaying: boolean;
  readonly onMove: (position: number) => void;
}

/** The tracks. Playhead and values lie over them, so that its moves draw no track. */
export function trackSide({ state, hands, generation, isPlaying, onMove }: TrackSide): TemplateResult {
  const { pointer, onKey } = hands;
  const canvas = (name: string) => keyed(generation, html`<canvas data-name=${name} aria-hidden="true"></canvas>`);
  return html`
    <div
      class="tracks"
      @pointerdown=${pointer.onDown}
      @pointermove=${pointer.onMove}
      @pointerup=${pointer.onUp}
      @pointercancel=${pointer.onUp}
      @wheel=${pointer.onWheel}
      @keydown=${onKey}
    >
      ${canvas('tracks')} ${canvas('ends')}
      <i class="playhead" aria-hidden="true" hidden></i>
      ${playheadRange(state, isPlaying, onMove)}
    </div>
  `;
}

/** The slider alone, where there are no tracks. */
export const playheadSlider = (
  state: ViewState,
  isPlaying: boolean,
  onMove: (position: number) => void,
): TemplateResult => html`<div class="slider">${playheadRange(state, isPlaying, onMove)}</div>`;

/** The slider over all positions: what keys and screen readers move. Its words follow when the playhead rests. */
function playheadRange(
  { data, position }: ViewState,
  isPlaying: boolean,
  onMove: (position: number) => void,
): TemplateResult {
  return html`
    <input
      type="range"
      min="-1"
      max=${data.last}
      step="1"
      aria-label=${msg('Playhead', { desc: 'slider over the tracks of the memory view' })}
      aria-valuetext=${isPlaying ? noChange : `${whereWords(data.axis, position)}, ${formatNumber(position)}`}
      .value=${String(position)}
      @input=${(event: InputEvent) => {
        if (event.target instanceof HTMLInputElement) onMove(event.target.valueAsNumber);
      }}
    />
  `;
}

/** One list a run; choosing an event moves the playhead to it. */
export function viewEvents({ data, position }: ViewState, onMove: (position: number) => void): TemplateResult {
  return html`
    <div class="events">
      ${data.runs.map(
        (run, index) => html`
          <app-event-list
            .run=${run}
            .operation=${data.operationAt(index, position)}
            @app-operation-chosen=${({ operation }: OperationChosenEvent) =>
              onMove(data.axis.positionOf(index, operation))}
          ></app-event-list>
        `,
      )}
    </div>
  `;
}
