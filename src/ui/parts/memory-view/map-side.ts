/** One side of a view: head, figures, and the map with its strip, or the table in place of them. */
import { msg } from '@lit/localize';
import { html, noChange, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { type MapHands } from './map-hands.js';
import { sideFigures } from './side-figures.js';
import { scrollsIn, type ViewState } from './view-state.js';
import { mapName, runLetter, runName, whereWords } from './view-words.js';

export interface MapSide {
  readonly state: ViewState;
  readonly index: number;
  readonly hands: MapHands | undefined;
  /** Number of the canvases: another one asks for new ones. */
  readonly generation: number;
  readonly isLoaded: boolean;
  /** The name of the map follows when the playhead rests: nobody listens to sixty names a second. */
  readonly isPlaying: boolean;
  /** False where tracks have all the room: then only the head is there. */
  readonly hasMap: boolean;
  /** Table or events in place of the map. */
  readonly instead: TemplateResult | undefined;
}

/** The side of a run. */
export function mapSide(side: MapSide): TemplateResult | typeof nothing {
  const { state, index, hasMap, instead } = side;
  const run = state.data.runs[index];
  if (run === undefined) return nothing;
  return html`
    <section class="side" aria-label=${runName(state.data.runs, index)}>
      <slot name=${`head-${index}`}></slot>
      ${
        hasMap
          ? html`${sideFigures(run, state.data.operationAt(index, state.position))} ${instead ?? mapRow(side)}`
          : nothing
      }
    </section>
  `;
}

function mapRow({ state, index, hands, generation, isLoaded, isPlaying }: MapSide): TemplateResult {
  const pointer = hands?.pointer;
  const canvas = (name: string) =>
    keyed(generation, html`<canvas data-name=${`${name}-${index}`} aria-hidden="true"></canvas>`);
  return html`
    <div class="map-row">
      <div
        class="map"
        tabindex="0"
        role="application"
        aria-roledescription=${msg('memory map', { desc: 'kind of element, for screen readers' })}
        aria-label=${isPlaying ? noChange : nameOf(state, index)}
        @pointerdown=${pointer?.onDown}
        @pointermove=${pointer?.onMove}
        @pointerup=${pointer?.onUp}
        @pointercancel=${pointer?.onUp}
        @pointerleave=${pointer?.onLeave}
        @wheel=${pointer?.onWheel}
        @keydown=${hands?.onKey}
      >
        ${canvas('map')}
        ${isLoaded ? nothing : html`<p class="loading">${msg('Drawing', { desc: 'map before it is drawn' })}</p>`}
      </div>
      ${
        scrollsIn(state)
          ? html`<div class="strip" @pointerdown=${hands?.onStrip} @pointermove=${hands?.onStrip}>
              ${canvas('strip')}
            </div>`
          : nothing
      }
    </div>
  `;
}

function nameOf({ data, position }: ViewState, index: number): string {
  const run = data.runs[index];
  if (run === undefined) return '';
  return mapName(run, runLetter(data.runs, index), whereWords(data.axis, position), data.operationAt(index, position));
}
