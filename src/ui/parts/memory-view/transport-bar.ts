/** Play, pause, step, speed and where the playhead is. */
import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { formatNumber } from '../../../base/format.js';
import { icons } from '../../styles/icons.js';
import { type PositionRange } from './view-events.js';
import { languageMark } from './view-pictures.js';
import { type ViewPlayhead } from './view-playhead.js';
import { type ViewState } from './view-state.js';
import { progressWords, runLetter, whereWords } from './view-words.js';

export interface Transport {
  readonly state: ViewState;
  readonly playhead: ViewPlayhead;
  readonly range: PositionRange | undefined;
  readonly isPresenting: boolean;
  readonly onRange: (range: PositionRange | undefined) => void;
  readonly onZoomRange: () => void;
}

/** The bar. */
export function transportBar(transport: Transport): TemplateResult {
  const { state, playhead, isPresenting } = transport;
  const { isPlaying, speeds, speed } = playhead;
  const { failures, steps: named } = state.data;
  const steps = named?.count ?? 0;
  const of = formatNumber(steps);
  const isAtFailure = failures.length === 1 && failures[0] === state.position;
  const playWords = isPlaying
    ? msg('Pause', { desc: 'button: stops the playhead' })
    : msg('Play', { desc: 'button: moves the playhead through the run' });
  return html`
    <div class="transport">
      <button
        class="icon"
        aria-label=${msg('Step back', { desc: 'button of the transport' })}
        @click=${() => playhead.stepMarker(-1)}
      >
        ${icons.back}
      </button>
      <button class="primary play" aria-label=${playWords} @click=${() => playhead.toggle()}>
        ${isPlaying ? icons.pause : icons.play}
      </button>
      <button
        class="icon"
        aria-label=${msg('Step forward', { desc: 'button of the transport' })}
        @click=${() => playhead.stepMarker(1)}
      >
        ${icons.forward}
      </button>
      ${isPresenting ? nothing : guard([speeds, speed, steps, languageMark()], () => speedChoice(playhead, steps))}
      <p class="where">
        <b>${whereText(state)}</b>
        <span class="quiet">
          ${steps > 0 ? msg(str`of ${of} steps.`, { desc: 'transport: how many steps the program has' }) : nothing}
          ${progressText(state)}
        </span>
      </p>
      ${isPresenting ? nothing : positionField(state, playhead)} ${rangeFields(transport)}
      ${
        failures.length > 0
          ? html`<button class="text jump" ?disabled=${isAtFailure} @click=${() => playhead.goToFailure()}>
              ${msg('Go to out of memory', { desc: 'button: moves the playhead to the failure' })}
            </button>`
          : nothing
      }
    </div>
  `;
}

/** The marker at the playhead; '' where there is one run without one, whose progress says the same place. */
function whereText({ data, position }: ViewState): string {
  const isSaid = data.runs.length === 1 && position >= 0 && data.axis.markerAt(position) === undefined;
  return isSaid ? '' : whereWords(data.axis, position);
}

function progressText({ data, position }: ViewState): string {
  const [first] = data.runs;
  return first === undefined ? '' : progressWords(first, runLetter(data.runs, 0), data.operationAt(0, position));
}

function speedChoice(playhead: ViewPlayhead, steps: number): TemplateResult {
  const { speeds, speed } = playhead;
  const words = (each: number): string => {
    const number = formatNumber(each, Number.isInteger(each) ? 0 : 1);
    if (steps > 0 && each === 1) return msg('1 step/s', { desc: 'transport: speed' });
    return steps > 0
      ? msg(str`${number} steps/s`, { desc: 'transport: speed' })
      : msg(str`all in ${number} s`, { desc: 'transport: speed, how long the whole run takes' });
  };
  return html`
    <label class="field">
      ${msg('Speed', { desc: 'transport: label' })}
      <select @change=${(event: Event) => playhead.setSpeed(Number((event.target as HTMLSelectElement).value))}>
        ${speeds.map((each) => html`<option value=${each} ?selected=${each === speed}>${words(each)}</option>`)}
      </select>
    </label>
  `;
}

function positionField({ data, position }: ViewState, playhead: ViewPlayhead): TemplateResult {
  return html`
    <label class="field">
      ${msg('Position', { desc: 'transport: label of the field with the position' })}
      <input
        class="number"
        type="number"
        min="-1"
        max=${data.last}
        .value=${String(position)}
        @change=${(event: Event) => {
          const { valueAsNumber } = event.target as HTMLInputElement;
          if (Number.isFinite(valueAsNumber)) playhead.goTo(valueAsNumber);
        }}
      />
    </label>
  `;
}

function rangeFields({ state, range, onRange, onZoomRange, isPresenting }: Transport): TemplateResult | typeof nothing {
  const { last } = state.data;
  if (range === undefined || isPresenting) return nothing;
  const field = (label: string, value: number, change: (value: number) => PositionRange) => html`
    <label class="field">
      ${label}
      <input
        class="number"
        type="number"
        min="0"
        max=${last}
        .value=${String(value)}
        @change=${(event: Event) => {
          const { valueAsNumber } = event.target as HTMLInputElement;
          if (Number.isFinite(valueAsNumber)) onRange(change(Math.min(Math.max(0, Math.round(valueAsNumber)), last)));
        }}
      />
    </label>
  `;
  return html`
    <span class="range">
      ${field(msg('From', { desc: 'transport: start of the selected range' }), range.from, (from) => ({
        from,
        to: Math.max(from, range.to),
      }))}
      ${field(msg('to', { desc: 'transport: end of the selected range' }), range.to, (to) => ({
        from: Math.min(to, range.from),
        to,
      }))}
      <button class="text" @click=${onZoomRange}>${msg('Zoom in', { desc: 'button: shows only the range' })}</button>
      <button class="text" @click=${() => onRange(undefined)}>
        ${msg('Clear', { desc: 'button: ends the selection of a range' })}
      </button>
    </span>
  `;
}
