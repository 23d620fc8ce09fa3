import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing, svg, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { operationWords } from '../../../app/lab/lab-words.js';
import {
  askedWords,
  bothFitWords,
  fitsHeadWords,
  fitWords,
  flushWords,
  freesHeadWords,
  freeSetNames,
  freeSetWords,
  headWords,
  mib,
  momentHeadWords,
  mostlyEmptyWords,
  noFitWords,
  notReservedWords,
  pinnedWords,
  pinWords,
  stopsWords,
  unusedWords,
} from '../../../app/lab/why-words.js';
import { formatBytes, formatNumber } from '../../../base/format.js';
import { type FailureWhy, type WhyFrees } from '../../../model/lab/why.js';
import { CATEGORY, CATEGORY_NAMES } from '../../../model/trace/trace.js';
import { controls } from '../../styles/controls.styles.js';
import { WhyBlockChosenEvent } from './why-events.js';
import { styles } from './why-panel.styles.js';
import { type FitsState, type WhyState } from './why-state.js';

type FailureState = Extract<WhyState, { readonly kind: 'failure' }>;
type MomentState = Extract<WhyState, { readonly kind: 'moment' }>;

/** Why a side stopped, or what holds memory at a moment: statements next to the figures that they come from. */
@localized()
@customElement('app-why-panel')
export class WhyPanel extends LitElement {
  static override styles = [controls, styles];
  @property({ attribute: false }) state: WhyState = { kind: 'nothing' };
  /** Only the statement and the bars. */
  @property({ type: Boolean, reflect: true }) presenting = false;

  override render() {
    switch (this.state.kind) {
      case 'nothing':
        return html`<p class="quiet">${msg('What happens and why stands here.', { desc: 'why: before a run' })}</p>`;
      case 'failure':
        return this.#renderFailure(this.state);
      case 'moment':
        return this.#renderMoment(this.state);
    }
  }

  #renderFailure({ side, place, operation, why, capacity, tensorsAlone, fits }: FailureState) {
    return html`
      <header>
        <h2>${msg(str`Why ${side} stopped`, { desc: 'heading of the panel' })}</h2>
        <span class="quiet">
          ${
            place === undefined
              ? operationWords(operation)
              : msg(str`${place}, operation ${formatNumber(operation)}`, { desc: 'where it stopped' })
          }
        </span>
      </header>
      <p class="statement">${headWords(why.head)}</p>
      ${bars(why)}
      <div class="rest">
        <p>${[askedWords(why), flushWords(why), mostlyEmptyWords(why)].map((line) => line && html`${line} `)}</p>
        ${why.frees === undefined ? nothing : this.#renderFrees(why.frees)}
        ${this.#renderFits(fits, capacity, tensorsAlone)}
        ${why.unused === undefined ? nothing : html`<p>${unusedWords(why)}</p>`}
      </div>
    `;
  }

  #renderFrees(frees: WhyFrees) {
    return html`
      <h3>${freesHeadWords(frees)}</h3>
      <ol>
        ${frees.sets.map(
          (set, index) => html`
            <li>
              <button
                class=${`mark ${categoryName(set.tensors[0]?.category)}`}
                aria-label=${msg(str`Show ${freeSetNames(set)} on the map`, { desc: 'button with a number' })}
                @click=${() => this.#show(set.tensors.map(({ operation }) => operation))}
              >
                ${index + 1}
              </button>
              <code>${freeSetNames(set)}</code>
              <span class="size">${formatBytes(set.bytes)}</span>
              <span class="hint">${freeSetWords(set)}</span>
            </li>
          `,
        )}
      </ol>
    `;
  }

  #renderFits({ rows, done, total, phase }: FitsState, capacity: number, tensorsAlone: number) {
    const fitting = rows.filter(({ outcome }) => outcome === 'completed');
    const others = rows.filter(({ outcome }) => outcome !== 'completed');
    return html`
      <h3>${fitsHeadWords(capacity)}</h3>
      ${fitting.map(({ words, peakReserved }) => html`<p>${fitWords(words, peakReserved, capacity)}</p>`)}
      ${phase === 'done' && fitting.length === 0 ? html`<p>${noFitWords(tensorsAlone)}</p>` : nothing}
      ${
        phase === 'running'
          ? html`<p class="quiet">
              ${msg(str`Trying changes: ${done} of ${total}`, { desc: 'why: while changes are replayed' })}
            </p>`
          : nothing
      }
      ${
        others.length === 0
          ? nothing
          : html`<details>
              <summary>
                ${msg(str`${others.length} that do not fit`, { desc: 'why: opens the list of changes' })}
              </summary>
              ${others.map(({ words, failedAt }) => html`<p>${stopsWords(words, failedAt ?? 0)}</p>`)}
            </details>`
      }
    `;
  }

  #renderMoment({ side, place, moment, pins, bothFit }: MomentState) {
    return html`
      <header>
        <h2>${msg(str`${side} at this moment`, { desc: 'heading of the panel' })}</h2>
        <span class="quiet">${place}</span>
      </header>
      <p class="statement">${bothFit === undefined ? momentHeadWords(moment) : bothFitWords(...bothFit)}</p>
      <div class="rest">
        <p>
          ${bothFit === undefined ? nothing : html`${momentHeadWords(moment)} `}
          ${[notReservedWords(moment), pinnedWords(moment)].map((line) => line && html`${line} `)}
        </p>
        <ol>
          ${pins.map(
            (pin) => html`
              <li>
                <button
                  class=${`mark ${categoryName(pin.category)}`}
                  aria-label=${msg(str`Show ${pin.name} on the map`, { desc: 'button' })}
                  @click=${() => this.dispatchEvent(new WhyBlockChosenEvent([pin.block], 'block'))}
                ></button>
                <code>${pin.name}</code>
                <span class="size">${formatBytes(pin.size)}</span>
                <span class="hint">${pinWords(pin)}</span>
              </li>
            `,
          )}
        </ol>
      </div>
    `;
  }

  #show(operations: readonly number[]): void {
    this.dispatchEvent(new WhyBlockChosenEvent(operations, 'operation'));
  }
}

const categoryName = (category: number = CATEGORY.unknown): string => CATEGORY_NAMES[category] ?? 'unknown';

/** The three bars to one scale; a dashed line through all of them says how far the request reaches. */
function bars({ bars: all }: FailureWhy): TemplateResult {
  const { needed, largestHole, holeShort, notReserved, notReservedShort } = all;
  const scale = Math.max(needed, largestHole, notReserved, 1);
  // Of the width as it is: a picture that is stretched to it would stretch its hatch.
  const share = (size: number): string => `${(100 * size) / scale}%`;
  const row = (label: string, kind: string, size: number, short: number) => html`
    <dt>${label}</dt>
    <dd>
      <svg class="bar" aria-hidden="true">
        <defs>
          <pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <line class="hatch" x1="0" x2="0" y1="0" y2="4" />
          </pattern>
        </defs>
        <rect class=${kind} width=${share(size)} height="100%" />
        ${kind === 'hole' ? svg`<rect fill="url(#hatch)" width=${share(size)} height="100%" />` : nothing}
        <line class="request" x1=${share(needed)} x2=${share(needed)} y1="-80%" y2="180%" />
      </svg>
      <span class="figure"
        >${mib(size)}${short === 0 ? nothing : html` <span class="short">−${mib(short)}</span>`}</span
      >
    </dd>
  `;
  return html`
    <dl class="bars" aria-label=${msg('Needed against what there is, in MiB', { desc: 'name of the three bars' })}>
      ${row(msg('Needed', { desc: 'why: bar' }), 'needed', needed, 0)}
      ${row(msg('Largest hole', { desc: 'why: bar' }), 'hole', largestHole, holeShort)}
      ${row(msg('Not reserved', { desc: 'why: bar' }), 'left', notReserved, notReservedShort)}
    </dl>
  `;
}

declare global {
  interface HTMLElementTagNameMap {
    'app-why-panel': WhyPanel;
  }
}
