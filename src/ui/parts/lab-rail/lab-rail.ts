import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { type LabField, type LabProblems } from '../../../app/lab/lab-plan.js';
import {
  canCompare,
  defaultSettings,
  type LabSettings,
  ownCapacity,
  PAIRS,
  type SideName,
  type SideSettings,
  workloadOf,
} from '../../../app/lab/lab-settings.js';
import { allocatorWords, pairWords } from '../../../app/lab/lab-words.js';
import { modelWords } from '../../../app/model-words.js';
import { formatBytes } from '../../../base/format.js';
import { ALLOCATOR_NAMES } from '../../../model/allocator/names.js';
import { WORKLOADS } from '../../../model/workload/catalogue.js';
import { controls } from '../../styles/controls.styles.js';
import {
  FlagshipRequestedEvent,
  LabPairChosenEvent,
  LabSettingsChangedEvent,
  LabWorkloadChosenEvent,
} from './lab-events.js';
import { TraceChosenEvent, TraceLeftEvent } from './lab-events.js';
import { styles } from './lab-rail.styles.js';
import { parameterField } from './parameter-field.js';

/** What is compared, on which program, within which budget. Every edit runs on the model at once; there is no button for it. */
@localized()
@customElement('app-lab-rail')
export class LabRail extends LitElement {
  static override styles = [controls, styles];
  @property({ attribute: false }) settings: LabSettings = defaultSettings();
  @property({ attribute: false }) problems: LabProblems = {};
  /** Name of the program that a file or a page gave, '' for a workload. */
  @property() brought = '';
  /** Bytes that a program which was brought may have. */
  @property({ type: Number }) broughtCapacity = 0;

  override render() {
    return html`
      <section aria-labelledby="compare">
        <h2 id="compare">${msg('Compare', { desc: 'heading' })}</h2>
        ${this.#renderFlagship()}
        <div class="pairs" role="group" aria-labelledby="compare">${PAIRS.map((pair) => this.#renderPair(pair))}</div>
      </section>
      <section aria-labelledby="workload">
        <h2 id="workload">${msg('Workload', { desc: 'heading' })}</h2>
        ${this.brought === '' ? this.#renderWorkload() : this.#renderBrought()}
      </section>
      <section aria-labelledby="sides">
        <h2 id="sides">${msg('Sides', { desc: 'heading' })}</h2>
        ${this.#renderSide('a')} ${this.#renderSide('b')} ${this.#renderBudget()}
      </section>
    `;
  }

  #renderFlagship() {
    return html`
      <button class="flagship" @click=${() => this.dispatchEvent(new FlagshipRequestedEvent())}>
        <b>${msg('Show the 13B case', { desc: 'button: the flagship' })}</b>
        <span class="hint">
          ${msg('13 billion parameters on 40 GB cards: concats at batch 4, one buffer at batch 8', {
            desc: 'under the button of the flagship',
          })}
        </span>
      </button>
    `;
  }

  #renderPair(pair: LabSettings['pair']) {
    const { title, detail } = pairWords(pair);
    const isBrought = this.brought !== '';
    const isOffered = isBrought
      ? pair === 'setting' || pair === 'allocator' || pair === 'own'
      : canCompare(this.settings, pair);
    if (!isOffered) return nothing;
    return html`
      <button
        class="pair"
        aria-pressed=${pair === this.settings.pair ? 'true' : 'false'}
        @click=${() => this.dispatchEvent(new LabPairChosenEvent(pair))}
      >
        <b>${title}</b><span class="hint">${detail}</span>
      </button>
    `;
  }

  #renderWorkload() {
    const { workload, parameters } = this.settings;
    const { parameters: table, about } = workloadOf(workload);
    const [first, rest] = split(Object.entries(table));
    const field = ([key, parameter]: (typeof first)[number]) =>
      parameterField(key, parameter, parameters[key], this.problems[`parameter-${key}`], (value) =>
        this.#changeParameter(key, value),
      );
    return html`
      <label class="field">
        ${msg('Program', { desc: 'field: which workload' })}
        <select
          name="workload"
          @change=${(event: Event) => {
            if (event.target instanceof HTMLSelectElement)
              this.dispatchEvent(new LabWorkloadChosenEvent(event.target.value));
          }}
        >
          ${WORKLOADS.map(({ id }) => html`<option value=${id} ?selected=${id === workload}>${id}</option>`)}
        </select>
      </label>
      <p class="hint">${modelWords(about)}</p>
      <div class="fields">${first.map(field)}</div>
      ${
        rest.length === 0
          ? nothing
          : html`<details>
              <summary>${msg(str`${rest.length} more parameters`, { desc: 'opens the list' })}</summary>
              <div class="fields">${rest.map(field)}</div>
            </details>`
      }
      ${this.#renderFile(msg('Open a trace', { desc: 'button: a trace file in place of a workload' }))}
    `;
  }

  #renderBrought() {
    return html`
      <p><b>${this.brought}</b></p>
      <button @click=${() => this.dispatchEvent(new TraceLeftEvent())}>
        ${msg('Back to the workloads', { desc: 'button: leaves a trace that was opened' })}
      </button>
      ${this.#renderFile(msg('Open another trace', { desc: 'button' }))}
    `;
  }

  #renderFile(words: string) {
    return html`
      <label class="file">
        ${words}
        <input
          type="file"
          accept=".json,.gz,application/json,application/gzip"
          @change=${(event: Event) => {
            if (!(event.target instanceof HTMLInputElement)) return;
            const file = event.target.files?.[0];
            event.target.value = '';
            if (file !== undefined) this.dispatchEvent(new TraceChosenEvent(file));
          }}
        />
      </label>
    `;
  }

  #renderSide(side: SideName) {
    const { allocator, conf, change } = this.settings[side];
    const name = side.toUpperCase();
    return html`
      <fieldset>
        <legend>${name}</legend>
        <label class="field">
          ${msg('Allocator', { desc: 'field' })}
          <select
            name="allocator-${side}"
            @change=${(event: Event) => {
              if (event.target instanceof HTMLSelectElement)
                this.#changeSide(side, { allocator: event.target.value, conf: '' });
            }}
          >
            ${ALLOCATOR_NAMES.map(
              (each) => html`<option value=${each} ?selected=${each === allocator}>${allocatorWords(each)}</option>`,
            )}
          </select>
        </label>
        ${this.#renderText(`conf-${side}`, msg('Settings', { desc: 'field: of the allocator' }), conf, {
          placeholder: msg('(default)', { desc: 'placeholder: no settings' }),
          change: (value) => this.#changeSide(side, { conf: value }),
        })}
        ${
          this.brought !== ''
            ? nothing
            : this.#renderText(`change-${side}`, msg('Changed parameters', { desc: 'field: of one side' }), change, {
                placeholder: msg('none', { desc: 'placeholder: nothing changed' }),
                problem: this.problems[`change-${side}`],
                change: (value) => this.#changeSide(side, { change: value }),
              })
        }
      </fieldset>
    `;
  }

  #renderBudget() {
    const own = this.brought === '' ? ownCapacity(this.settings) : this.broughtCapacity;
    return this.#renderText('budget', msg('Budget of each side', { desc: 'field: bytes' }), this.settings.budget, {
      placeholder: formatBytes(own),
      problem: this.problems.budget,
      change: (budget) => this.dispatchEvent(new LabSettingsChangedEvent({ budget })),
    });
  }

  #renderText(
    name: LabField | `conf-${SideName}`,
    label: string,
    value: string,
    {
      placeholder,
      problem,
      change,
    }: {
      readonly placeholder: string;
      readonly problem?: string | undefined;
      readonly change: (value: string) => void;
    },
  ) {
    return html`
      <label class="field">
        ${label}
        <input
          type="text"
          name=${name}
          spellcheck="false"
          autocomplete="off"
          placeholder=${placeholder}
          .value=${value}
          aria-invalid=${problem === undefined ? 'false' : 'true'}
          @change=${(event: Event) => {
            if (event.target instanceof HTMLInputElement) change(event.target.value);
          }}
        />
        ${problem === undefined ? nothing : html`<span class="problem" role="alert">${modelWords(problem)}</span>`}
      </label>
    `;
  }

  #changeParameter(key: string, value: string | undefined): void {
    const others = Object.entries(this.settings.parameters).filter(([each]) => each !== key);
    const parameters = Object.fromEntries(value === undefined ? others : [...others, [key, value]]);
    this.dispatchEvent(new LabSettingsChangedEvent({ parameters }));
  }

  /** A side that is edited is a pair of one's own. */
  #changeSide(side: SideName, change: Partial<SideSettings>): void {
    this.dispatchEvent(new LabSettingsChangedEvent({ pair: 'own', [side]: { ...this.settings[side], ...change } }));
  }
}

/** The parameters that are always in sight, and the others. */
const ALWAYS = 6;
function split<T>(all: readonly T[]): readonly [readonly T[], readonly T[]] {
  return all.length <= ALWAYS + 2 ? [all, []] : [all.slice(0, ALWAYS), all.slice(ALWAYS)];
}

declare global {
  interface HTMLElementTagNameMap {
    'app-lab-rail': LabRail;
  }
}
