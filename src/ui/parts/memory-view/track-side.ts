/** The playhead as a slider, and the events of the runs. */
import { msg } from '@lit/localize';
import { html, type TemplateResult } from 'lit';
import { formatNumber } from '../../../base/format.js';
import '../event-list/event-list.js';
import { type OperationChosenEvent } from '../event-list/event-list.js';
import { type ViewState } from './view-state.js';
import { whereWords } from './view-words.js';

/** The slider over all positions: what keys and screen readers move. */
export function playheadRange({ data, position }: ViewState, onMove: (position: number) => void): TemplateResult {
  return html`
    <input
      type="range"
      min="-1"
      max=${data.last}
      step="1"
      aria-label=${msg('Playhead', { desc: 'slider over the tracks of the memory view' })}
      aria-valuetext=${`${whereWords(data.axis, position)}, ${formatNumber(position)}`}
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
