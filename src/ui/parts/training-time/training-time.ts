import { localized, msg } from '@lit/localize';
import { html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { type AdapterBadge } from '../../../app/adapter-state.js';
import {
  checkModel,
  DEFAULT_MODEL,
  MODEL_FIELDS,
  type ModelField,
  type ModelSettings,
} from '../../../app/model-settings.js';
import { formatSignificant } from '../../../base/format.js';
import { type GlobalFigure, globalFigures } from '../../../model/report/charts/global-figures.js';
import { type Row } from '../../../model/report/schema.js';
import { ModelChangedEvent } from '../../events.js';
import { controls } from '../../styles/controls.styles.js';
import { softwareMark } from '../badge.js';
import { styles } from './training-time.styles.js';
import { fieldWords, modelProblemWords, trainingWords } from './training-words.js';

/** What a measured bandwidth means for training: the time to move a model's state once, beside whether it fits. */
@localized()
@customElement('app-training-time')
export class TrainingTime extends LitElement {
  static override styles = [controls, styles];
  @property({ attribute: false }) rows: readonly Row[] = [];
  @property({ attribute: false }) model: ModelSettings = DEFAULT_MODEL;
  @property() badge: AdapterBadge = 'asking';
  /** Id of the row whose bandwidth is used; '' for the best one. */
  @state() private chosen = '';

  override render() {
    const figures = globalFigures(this.rows);
    const figure = figures.find(({ row }) => row.id === this.chosen) ?? figures[0];
    return html`
      <header>
        <h2>${msg('What this means for training', { desc: 'heading' })}</h2>
        ${figure === undefined ? nothing : softwareMark(this.badge)}
      </header>
      <div class="fields">
        ${MODEL_FIELDS.map((field) => this.#renderField(field))}
        ${figure === undefined ? nothing : this.#renderFigures(figures, figure)}
      </div>
      ${
        figure === undefined
          ? html`<p class="hint">
              ${msg('Run tiers: the time is computed from the bandwidth of global memory that a run finds.', {
                desc: 'training: before there is a bandwidth',
              })}
            </p>`
          : this.#renderAnswer(figure)
      }
    `;
  }

  #renderField(field: ModelField) {
    const checked = checkModel(this.model);
    const problem = checked.status === 'refused' ? checked.problems[field] : undefined;
    return html`
      <label class="field ${problem === undefined ? '' : 'refused'}">
        ${fieldWords(field)}
        <input
          type="text"
          name=${field}
          spellcheck="false"
          autocomplete="off"
          maxlength="40"
          aria-invalid=${problem === undefined ? 'false' : 'true'}
          aria-describedby=${problem === undefined ? nothing : `${field}-problem`}
          .value=${this.model[field]}
          @input=${(event: InputEvent) => this.#onInput(field, event)}
        />
        ${
          problem === undefined
            ? nothing
            : html`<span class="problem" id="${field}-problem" role="alert">${modelProblemWords(problem)}</span>`
        }
      </label>
    `;
  }

  #renderFigures(figures: readonly GlobalFigure[], chosen: GlobalFigure) {
    return html`<label class="figure">
      ${msg('Bandwidth', { desc: 'field: which measured figure is used' })}
      <select name="bandwidth" @change=${this.#onFigure}>
        ${figures.map(
          ({ row }) => html`
            <option value=${row.id} ?selected=${row === chosen.row}>
              ${row.id}: ${formatSignificant(row.value)} GB/s
            </option>
          `,
        )}
      </select>
    </label>`;
  }

  #renderAnswer(figure: GlobalFigure) {
    const checked = checkModel(this.model);
    if (checked.status === 'refused') return nothing;
    return trainingWords(checked.model, checked.capacityBytes, figure).map(
      ({ kind, text }) => html`<p class=${kind}>${text}</p>`,
    );
  }

  #onInput(field: ModelField, event: InputEvent): void {
    if (!(event.target instanceof HTMLInputElement)) return;
    this.dispatchEvent(new ModelChangedEvent({ [field]: event.target.value }));
  }

  readonly #onFigure = (event: Event): void => {
    if (event.target instanceof HTMLSelectElement) this.chosen = event.target.value;
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'app-training-time': TrainingTime;
  }
}
