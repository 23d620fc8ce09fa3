/** Play, pause, step, speed and where the playhead is. */
import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { formatNumber } from '../../../base/format.js';
import { icons } from '../../styles/icons.js';
import { type PositionRange } from './view-events.js';
import { languageMark } from './view-pictures.js';

export interface Transport {
  readonly isPlaying: boolean;
  readonly position: number;
  readonly last: number;
  /** The marker or operation at the playhead. */
  readonly where: string;
  readonly progress: string;
  /** Steps of the program; 0 where it names none. */
  readonly steps: number;
  readonly speeds: readonly number[];
  readonly speed: number;
  readonly hasFailure: boolean;
  readonly isAtFailure: boolean;
  readonly range: PositionRange | undefined;
  readonly isPresenting: boolean;
  readonly onPlay: () => void;
  readonly onStep: (direction: -1 | 1) => void;
  readonly onSpeed: (speed: number) => void;
  readonly onFailure: () => void;
  readonly onPosition: (position: number) => void;
  readonly onRange: (range: PositionRange | undefined) => void;
  readonly onZoomRange: () => void;
}

/** The bar. */
export function transportBar(transport: Transport): TemplateResult {
  const { isPlaying, onStep, where, progress, steps, isPresenting } = transport;
  const of = formatNumber(steps);
  const playWords = isPlaying
    ? msg('Pause', { desc: 'button: stops the playhead' })
    : msg('Play', { desc: 'button: moves the playhead through the run' });
  return html`
    <div class="transport">
      <button
        class="icon"
        aria-label=${msg('Step back', { desc: 'button of the transport' })}
        @click=${() => onStep(-1)}
      >
        ${icons.back}
      </button>
      <button class="primary play" aria-label=${playWords} @click=${transport.onPlay}>
        ${isPlaying ? icons.pause : icons.play}
      </button>
      <button
        class="icon"
        aria-label=${msg('Step forward', { desc: 'button of the transport' })}
        @click=${() => onStep(1)}
      >
        ${icons.forward}
      </button>
      ${
        isPresenting
          ? nothing
          : guard([transport.speeds, transport.speed, steps, languageMark()], () => speedChoice(transport))
      }
      <p class="where">
        <b>${where}</b>
        <span class="quiet">
          ${steps > 0 ? msg(str`of ${of} steps.`, { desc: 'transport: how many steps the program has' }) : nothing}
          ${progress}
        </span>
      </p>
      ${isPresenting ? nothing : positionField(transport)} ${rangeFields(transport)}
      ${
        transport.hasFailure
          ? html`<button class="text jump" ?disabled=${transport.isAtFailure} @click=${transport.onFailure}>
              ${msg('Go to out of memory', { desc: 'button: moves the playhead to the failure' })}
            </button>`
          : nothing
      }
    </div>
  `;
}

function speedChoice({ speeds, speed, steps, onSpeed }: Transport): TemplateResult {
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
      <select @change=${(event: Event) => onSpeed(Number((event.target as HTMLSelectElement).value))}>
        ${speeds.map((each) => html`<option value=${each} ?selected=${each === speed}>${words(each)}</option>`)}
      </select>
    </label>
  `;
}

function positionField({ position, last, onPosition }: Transport): TemplateResult {
  return html`
    <label class="field">
      ${msg('Position', { desc: 'transport: label of the field with the position' })}
      <input
        class="number"
        type="number"
        min="-1"
        max=${last}
        .value=${String(position)}
        @change=${(event: Event) => {
          const { valueAsNumber } = event.target as HTMLInputElement;
          if (Number.isFinite(valueAsNumber)) onPosition(valueAsNumber);
        }}
      />
    </label>
  `;
}

function rangeFields({ range, last, onRange, onZoomRange, isPresenting }: Transport): TemplateResult | typeof nothing {
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
