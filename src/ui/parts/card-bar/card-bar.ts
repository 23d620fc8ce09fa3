import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing, svg } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import type { PlanAnswer } from '../../../app/plan-work.js';
import { termWords } from '../../../app/plan-words.js';
import { formatBytes } from '../../../base/format.js';
import { type TermId } from '../../../model/plan/term.js';
import { FrameController } from '../../controllers/frame-controller.js';
import { controls } from '../../styles/controls.styles.js';
import { styles } from './card-bar.styles.js';

/** A piece of the bar. */
export interface BarPart {
  readonly id: TermId | 'rounding' | 'free';
  readonly bytes: number;
}

/** Categories as the memory maps colour them. */
const CATEGORY: Readonly<Record<BarPart['id'], string>> = {
  parameters: 'parameter',
  quantization: 'parameter',
  gradients: 'gradient',
  optimizer: 'optimizer',
  'master-weights': 'optimizer',
  activations: 'activation',
  recompute: 'activation',
  logits: 'activation',
  'kv-cache': 'activation',
  temporaries: 'temporary',
  workspace: 'temporary',
  communication: 'communication',
  nccl: 'communication',
  context: 'unknown',
  rounding: 'unknown',
  free: 'free',
};
const LETTER_WIDTH = 12;

/**
 * What stands on the card at the peak: terms as the replay has them, what blocks have beyond what was asked, what is
 * reserved and free. Without a replay the formulas.
 */
export function barParts({ plan, replay }: PlanAnswer): readonly BarPart[] {
  const outside = plan.terms.flatMap(({ id, bytes, inCache }) =>
    inCache || bytes === undefined ? [] : [{ id, bytes }],
  );
  if (typeof replay === 'string') {
    return plan.terms.flatMap(({ id, bytes }) => (bytes === undefined || bytes === 0 ? [] : [{ id, bytes }]));
  }
  const { reconciliation, needed } = replay;
  const inside = reconciliation.terms.map(({ id, atPeak }): BarPart => ({ id, bytes: atPeak }));
  return [
    ...outside,
    ...inside,
    { id: 'rounding' as const, bytes: reconciliation.rounding },
    { id: 'free' as const, bytes: needed.peakReserved - needed.peakAllocated },
  ].filter(({ bytes }) => bytes > 0);
}

/** The card as a bar: its parts stacked, the capacity as a dashed line. Two bars of one page share `scale`. */
@localized()
@customElement('app-card-bar')
export class CardBar extends LitElement {
  static override styles = [controls, styles];
  @property({ attribute: false }) parts: readonly BarPart[] = [];
  @property({ type: Number }) capacity = 0;
  /** Bytes of the whole width. */
  @property({ type: Number }) scale = 0;
  /** What the bar is of: the name of a plan. */
  @property() heading = '';
  /** The result in words. */
  @property() verdict = '';
  @property() state: 'fits' | 'short' | 'unknown' = 'unknown';
  @query('.bar') private readonly bar!: HTMLElement | null;
  readonly #frame = new FrameController(this, () => this.bar ?? undefined);

  override render() {
    return html`
      <p class="head">
        <strong>${this.heading}</strong>
        <span class="verdict ${this.state}" role="status">${this.verdict}</span>
      </p>
      <div class="bar" role="img" aria-label=${this.#name()}>${this.#drawing()}</div>
      <ul class="legend" aria-hidden="true">
        ${this.parts.map(
          ({ id, bytes }) =>
            html`<li><i class=${CATEGORY[id]}></i>${partWords(id)} <span>${formatBytes(bytes)}</span></li>`,
        )}
      </ul>
    `;
  }

  #name(): string {
    const { heading } = this;
    const capacity = formatBytes(this.capacity);
    const parts = this.parts.map(({ id, bytes }) => `${partWords(id)} ${formatBytes(bytes)}`).join(', ');
    return msg(str`${heading}: ${parts}. The card has ${capacity}.`, { desc: 'plan: name of the bar' });
  }

  #drawing() {
    const { width, height } = this.#frame.value;
    if (width === 0 || this.scale === 0) return nothing;
    const x = (bytes: number) => (bytes / this.scale) * width;
    let from = 0;
    const pieces = this.parts.map(({ id, bytes }) => {
      const start = from;
      from += bytes;
      const wide = Math.max(1, x(bytes));
      const letter = partWords(id).slice(0, 1);
      return svg`
        <rect class="part ${CATEGORY[id]}" x=${x(start)} y="0.5" width=${wide} height=${height - 1}></rect>
        ${
          wide > LETTER_WIDTH && id !== 'free'
            ? svg`<text class="ink ${CATEGORY[id]}" x=${x(start) + wide / 2} y=${height / 2}>${letter}</text>`
            : nothing
        }
      `;
    });
    const limit = x(this.capacity);
    return html`
      <svg viewBox="0 0 ${width} ${height}" aria-hidden="true">
        <defs>
          <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <line class="hatch" x1="0" y1="0" x2="0" y2="6"></line>
          </pattern>
        </defs>
        ${svg`<rect class="card" x="0.5" y="0.5" width=${Math.max(0, limit - 1)} height=${height - 1}></rect>`}
        ${pieces} ${svg`<line class="halo" x1=${limit} x2=${limit} y1="0" y2=${height}></line>`}
        ${svg`<line class="limit ${this.state}" x1=${limit} x2=${limit} y1="0" y2=${height}></line>`}
      </svg>
    `;
  }
}

/** Name of a part. */
export function partWords(id: BarPart['id']): string {
  if (id === 'rounding') return msg('Rounding', { desc: 'plan: bytes that blocks have beyond what was asked' });
  if (id === 'free') return msg('Reserved, free', { desc: 'plan: reserved by the allocator and not in use' });
  return termWords(id);
}

declare global {
  interface HTMLElementTagNameMap {
    'app-card-bar': CardBar;
  }
}
