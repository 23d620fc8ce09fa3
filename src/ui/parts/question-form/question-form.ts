import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatBytes, formatNumber } from '../../../base/format.js';
import { type SnapshotDevice } from '../../../engine/model-protocol.js';
import { block } from '../../styles/block.styles.js';
import { controls } from '../../styles/controls.styles.js';
import { field } from '../../styles/field.styles.js';
import { QuestionChangedEvent } from '../diagnose-events.js';
import { styles } from './question-form.styles.js';

/** What is asked of a snapshot: how large the device is, under which settings it ran, which device to look at. */
@localized()
@customElement('app-question-form')
export class QuestionForm extends LitElement {
  static override styles = [controls, block, field, styles];
  /** As it was written. */
  @property() capacity = '';
  @property() conf = '';
  /** Bytes that the recording itself tells; undefined where it does not. */
  @property({ attribute: false }) recorded: number | undefined = undefined;
  @property({ attribute: false }) devices: readonly SnapshotDevice[] = [];
  @property({ type: Number }) device = 0;
  /** What is wrong with the capacity and with the settings, '' for nothing. */
  @property() problem = '';
  @property() confProblem = '';

  override render() {
    return html`
      <header><h2>${msg('Question', { desc: 'heading: what is asked of a snapshot' })}</h2></header>
      <div class="fields">
        <label class="field ${this.problem === '' ? '' : 'refused'}">
          ${msg('Does it fit in', { desc: 'field: size of the device' })}
          <input
            name="capacity"
            spellcheck="false"
            autocomplete="off"
            maxlength="40"
            placeholder=${this.recorded === undefined ? '12 GiB' : formatBytes(this.recorded)}
            aria-invalid=${this.problem === '' ? 'false' : 'true'}
            aria-describedby="capacity-hint"
            .value=${this.capacity}
            @change=${(event: Event) => this.#send({ capacity: valueOf(event) })}
          />
          ${this.problem === '' ? nothing : html`<span class="problem" role="alert">${this.problem}</span>`}
        </label>
        <p class="hint" id="capacity-hint">${this.#hint()}</p>
        <label class="field ${this.confProblem === '' ? '' : 'refused'}">
          ${msg('Settings it ran with', { desc: 'field: PYTORCH_CUDA_ALLOC_CONF' })}
          <input
            name="conf"
            spellcheck="false"
            autocomplete="off"
            maxlength="500"
            placeholder=${msg('(default)', { desc: 'in the empty field of the settings' })}
            aria-invalid=${this.confProblem === '' ? 'false' : 'true'}
            .value=${this.conf}
            @change=${(event: Event) => this.#send({ conf: valueOf(event) })}
          />
          ${this.confProblem === '' ? nothing : html`<span class="problem" role="alert">${this.confProblem}</span>`}
        </label>
        <label class="field">
          ${msg('Device', { desc: 'field: which GPU of a snapshot' })}
          <select name="device" @change=${(event: Event) => this.#send({ device: Number(valueOf(event)) })}>
            ${this.devices.map(
              ({ device, events }) => html`
                <option value=${device} ?selected=${device === this.device}>
                  ${msg(str`${device}: ${formatNumber(events)} events`, { desc: 'choice of a device' })}
                </option>
              `,
            )}
          </select>
        </label>
      </div>
    `;
  }

  #hint(): string {
    return this.recorded === undefined
      ? msg(
          'The snapshot does not hold the capacity. A card has less than its name says: the CUDA context takes some.',
          {
            desc: 'under the field for the size of the device',
          },
        )
      : msg(str`${formatBytes(this.recorded)}: what was reserved and free when it failed.`, {
          desc: 'under the field for the size of the device',
        });
  }

  #send(change: QuestionChangedEvent['change']): void {
    this.dispatchEvent(new QuestionChangedEvent(change));
  }
}

const valueOf = ({ target }: Event): string =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement ? target.value : '';

declare global {
  interface HTMLElementTagNameMap {
    'app-question-form': QuestionForm;
  }
}
