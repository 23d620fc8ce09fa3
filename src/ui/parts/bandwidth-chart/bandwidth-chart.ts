import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing, type PropertyValues, unsafeCSS } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { type AdapterBadge } from '../../../app/adapter-state.js';
import { type BandwidthLines, type BandwidthPoint } from '../../../app/bandwidth-lines.js';
import { formatBytes, formatNumber, formatSignificant } from '../../../base/format.js';
import { controls } from '../../styles/controls.styles.js';
import { table } from '../../styles/table.styles.js';
import { softwareMark } from '../badge.js';
import { styles } from './bandwidth-chart.styles.js';
import { bandwidthTable } from './bandwidth-table.js';
import { type BandwidthPlot, type PlotCursor, type PlotData, type SeriesName } from './bandwidth-plot.js';
import { moveCursor } from './chart-keys.js';
import { readPlotTheme } from './plot-theme.js';

const NO_LINES: BandwidthLines = { kernelStem: '', kernel: [], copy: [], instructionBound: false };

/** Bandwidth by working set: the chart and, behind a toggle, the same numbers as a table. */
@localized()
@customElement('app-bandwidth-chart')
export class BandwidthChart extends LitElement {
  static override styles = [controls, table, styles];
  @property({ attribute: false }) lines: BandwidthLines = NO_LINES;
  /** Lines of the run before, shown pale until there are new ones. */
  @property({ attribute: false }) earlier: BandwidthLines | undefined;
  @property({ type: Boolean }) running = false;
  /** What went wrong, '' when nothing did. The plot keeps what it has. */
  @property() trouble = '';
  @property() badge: AdapterBadge = 'asking';
  /** Name of the theme in use, so that a change redraws. */
  @property() theme = '';
  @state() private showsTable = false;
  @state() private cursor: PlotCursor | undefined;
  @query('.canvas') private readonly canvas!: HTMLElement | null;
  #plot: BandwidthPlot | undefined;
  readonly #resized = new ResizeObserver(() => this.#onResize());

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#drop();
  }

  override render() {
    const hasPoints = this.lines.kernel.length + this.lines.copy.length > 0;
    return html`
      <figure>
        <figcaption>
          <h2>${msg('Bandwidth by working set', { desc: 'title of the chart' })}</h2>
          <p class="quiet">${this.#subtitle()}</p>
          ${hasPoints ? softwareMark(this.badge) : nothing}
          <div class="tools">
            <button class="text" aria-pressed=${this.showsTable ? 'true' : 'false'} @click=${this.#onTable}>
              ${msg('Table', { desc: 'button: shows the numbers of the chart' })}
            </button>
          </div>
        </figcaption>
        ${this.trouble === '' ? nothing : html`<p class="hint trouble" role="alert">${this.trouble}</p>`}
        ${this.showsTable ? bandwidthTable(this.lines) : this.#renderPlot(hasPoints)}
      </figure>
    `;
  }

  override updated(changed: PropertyValues<this>): void {
    if (this.canvas === null) this.#drop();
    else if (this.#plot === undefined) void this.#load(this.canvas);
    else {
      if (changed.has('theme')) this.#plot.setTheme(readPlotTheme(this));
      if (changed.has('lines') || changed.has('earlier')) this.#plot.setData(this.#data());
      this.#plot.setCursor(this.cursor);
      this.#placeNote();
    }
  }

  #renderPlot(hasPoints: boolean) {
    return html`
      <div
        class="plot"
        tabindex="0"
        role="application"
        aria-roledescription=${msg('chart', { desc: 'kind of element, for screen readers' })}
        aria-label=${this.#name()}
        @keydown=${this.#onKey}
        @blur=${this.#onBlur}
      >
        <div class="canvas" aria-hidden="true"></div>
        ${this.#renderNote(hasPoints)}
      </div>
      <p class="unseen" role="status">${this.#cursorWords()}</p>
    `;
  }

  #renderNote(hasPoints: boolean) {
    if (hasPoints) {
      return this.lines.instructionBound
        ? html`<p class="note">
            ${msg(
              'The kernel line is flat while the copy line has steps: each element costs more instructions than memory time.',
              {
                desc: 'in the chart of an instruction-bound adapter',
              },
            )}
          </p>`
        : nothing;
    }
    if (this.#hasEarlier() || this.running) return nothing;
    return html`<p class="note empty">${msg('Run tiers to draw this.', { desc: 'in the empty chart' })}</p>`;
  }

  #subtitle(): string {
    const { kernelStem, kernel, copy, instructionBound } = this.lines;
    if (kernel.length + copy.length === 0 && this.#hasEarlier()) {
      return msg('from an earlier run', { desc: 'subtitle of the chart: the lines are not of this run' });
    }
    if (instructionBound) {
      return msg('instruction bound: no tier can be named from the kernel line', { desc: 'subtitle of the chart' });
    }
    const whisker = [...kernel, ...copy].some((point) => point.basis === 'range')
      ? msg('whisker = range of samples', { desc: 'subtitle of the chart' })
      : msg('whisker = 95 % interval', { desc: 'subtitle of the chart' });
    if (kernel.length + copy.length === 0) return msg('decimal GB/s', { desc: 'subtitle of the chart' });
    const kernelName = kernelStem.split('/').slice(2).join(', ');
    if (kernelName === '') return msg(str`decimal GB/s, ${whisker}`, { desc: 'subtitle of the chart' });
    return msg(str`${kernelName}, decimal GB/s, ${whisker}`, { desc: 'subtitle of the chart: kernel, unit, whisker' });
  }

  #name(): string {
    const { kernel, copy } = this.lines;
    const ends = (points: readonly BandwidthPoint[]) =>
      [points[0], points.at(-1)].map((point) => (point === undefined ? '' : formatSignificant(point.value)));
    const [kernelFirst = '', kernelLast = ''] = ends(kernel);
    const [copyFirst = '', copyLast = ''] = ends(copy);
    if (kernel.length === 0 && copy.length === 0) {
      return msg('Bandwidth by working set. No figures yet.', { desc: 'name of the chart' });
    }
    if (copy.length === 0) {
      return msg(
        str`Bandwidth by working set. Kernel ${kernelFirst} GB/s at the smallest, ${kernelLast} at the largest. Arrow keys read the points, Table shows them all.`,
        { desc: 'name of the chart' },
      );
    }
    if (kernel.length === 0) {
      return msg(
        str`Bandwidth by working set. Copy ${copyFirst} GB/s at the smallest, ${copyLast} at the largest. Arrow keys read the points, Table shows them all.`,
        { desc: 'name of the chart' },
      );
    }
    return msg(
      str`Bandwidth by working set. Kernel ${kernelFirst} GB/s at the smallest, ${kernelLast} at the largest; copy ${copyFirst} and ${copyLast}. Arrow keys read the points, Table shows them all.`,
      { desc: 'name of the chart' },
    );
  }

  #cursorWords(): string {
    const { cursor } = this;
    if (cursor === undefined) return '';
    const point = this.lines[cursor.series].find(({ workingSet }) => workingSet === cursor.workingSet);
    if (point === undefined) return '';
    const [size, value, low, high, samples] = [
      formatBytes(point.workingSet),
      formatSignificant(point.value),
      formatSignificant(point.low),
      formatSignificant(point.high),
      formatNumber(point.samples),
    ];
    const label = labels()[cursor.series];
    return msg(str`${label}, ${size}: ${value} GB/s, ${low} to ${high}, ${samples} samples`, {
      desc: 'chart: the point that is looked at',
    });
  }

  #hasEarlier(): boolean {
    return this.earlier !== undefined && this.earlier.kernel.length + this.earlier.copy.length > 0;
  }

  #data(): PlotData {
    const axisTitle = msg('working set', { desc: 'title of the x axis' });
    return { lines: this.lines, earlier: this.earlier, labels: labels(), axisTitle };
  }

  async #load(canvas: HTMLElement): Promise<void> {
    const { BandwidthPlot, plotStyles } = await import('./bandwidth-plot.js');
    if (this.#plot !== undefined || this.canvas !== canvas) return;
    adoptOnce(this.renderRoot, plotStyles);
    this.#plot = new BandwidthPlot(canvas, readPlotTheme(this), this.#data(), (workingSet) =>
      this.#onHover(workingSet),
    );
    this.#resized.observe(canvas);
    this.#placeNote();
  }

  #drop(): void {
    this.#resized.disconnect();
    this.#plot?.destroy();
    this.#plot = undefined;
  }

  /** The note lies in the gap between the lines, which only the plot knows. */
  #placeNote(): void {
    const centre = this.lines.instructionBound ? this.#plot?.gapCentre() : undefined;
    if (centre === undefined) this.style.removeProperty('--note-top');
    else this.style.setProperty('--note-top', `calc(${Math.round(centre)}px - 1.125rem)`);
  }

  #onResize(): void {
    this.#plot?.resize();
    this.#placeNote();
  }

  #onHover(workingSet: number | undefined): void {
    if (workingSet === this.cursor?.workingSet) return;
    const series: SeriesName = this.cursor?.series ?? 'kernel';
    this.cursor = workingSet === undefined ? undefined : { workingSet, series };
  }

  readonly #onTable = (): void => {
    this.showsTable = !this.showsTable;
    this.cursor = undefined;
  };

  readonly #onBlur = (): void => {
    this.cursor = undefined;
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    const next = moveCursor(this.lines, this.cursor, event.key);
    if (next === undefined) return;
    event.preventDefault();
    this.cursor = next;
  };
}

const labels = (): Readonly<Record<SeriesName, string>> => ({
  kernel: msg('kernel', { desc: 'label on the line of the kernel' }),
  copy: 'copyBufferToBuffer',
});

const sheets = new Map<string, CSSStyleSheet>();
/** Adds styles to a shadow root without an inline element, which the page's policy forbids. */
function adoptOnce(root: HTMLElement | DocumentFragment, text: string): void {
  if (!(root instanceof ShadowRoot)) return;
  const sheet = sheets.get(text) ?? unsafeCSS(text).styleSheet;
  if (sheet === undefined || root.adoptedStyleSheets.includes(sheet)) return;
  sheets.set(text, sheet);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}

declare global {
  interface HTMLElementTagNameMap {
    'app-bandwidth-chart': BandwidthChart;
  }
}
