/** A slider over powers of two beside a field for any number: a drag has a field and keys. */
import { msg, str } from '@lit/localize';
import { html, type TemplateResult } from 'lit';
import { formatNumber } from '../../../base/format.js';

export interface SliderOptions {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  /** Where the slider ends; the field goes further. */
  readonly most: number;
  readonly isRefused: boolean;
  readonly onValue: (value: string) => void;
}

/** Steps of the slider between two powers of two. */
const STEPS = 4;

export function planSlider({ name, label, value, most, isRefused, onValue }: SliderOptions): TemplateResult {
  const number = Number(value);
  const isUsable = Number.isFinite(number) && number >= 1;
  const position = isUsable ? Math.round(STEPS * Math.log2(Math.min(most, number))) : 0;
  const shown = isUsable ? formatNumber(number) : value;
  return html`
    <label for="${name}-field">${label}</label>
    <div class="slider">
      <input
        type="range"
        min="0"
        max=${Math.round(STEPS * Math.log2(most))}
        step="1"
        aria-label=${msg(str`${label}, slider`, { desc: 'plan: name of a slider beside its field' })}
        aria-valuetext=${shown}
        .value=${String(position)}
        @input=${({ target }: Event) => {
          if (target instanceof HTMLInputElement) onValue(String(Math.round(2 ** (Number(target.value) / STEPS))));
        }}
      />
      <input
        type="text"
        id="${name}-field"
        name=${name}
        inputmode="numeric"
        autocomplete="off"
        spellcheck="false"
        maxlength="20"
        aria-invalid=${isRefused ? 'true' : 'false'}
        .value=${value}
        @input=${({ target }: Event) => {
          if (target instanceof HTMLInputElement) onValue(target.value);
        }}
      />
    </div>
  `;
}
