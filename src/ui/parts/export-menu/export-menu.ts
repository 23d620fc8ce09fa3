import { localized, msg } from '@lit/localize';
import { html, LitElement } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { EXPORT_FORMATS, type ExportFormat } from '../../../app/export-formats.js';
import { assertNever } from '../../../base/errors.js';
import { ExportRequestedEvent, LinkRequestedEvent, PictureRequestedEvent } from '../../events.js';
import { controls } from '../../styles/controls.styles.js';
import { icons } from '../../styles/icons.js';
import { styles } from './export-menu.styles.js';

const CHARTS = ['bandwidth', 'latency', 'tiers'];

/** The ways to take a run away: each asks the page, which makes the file here and sends nothing. */
@localized()
@customElement('app-export-menu')
export class ExportMenu extends LitElement {
  static override styles = [controls, styles];
  @property({ type: Boolean }) disabled = false;
  @query('.menu') private readonly menu!: HTMLElement;

  override render() {
    return html`
      <button class="open" popovertarget="menu" ?disabled=${this.disabled} @click=${this.#place}>
        ${msg('Export', { desc: 'button: opens the list of formats' })}${icons.open}
      </button>
      <div class="menu" id="menu" popover role="group" aria-label=${msg('Export', { desc: 'name of the list' })}>
        ${EXPORT_FORMATS.map((format) =>
          this.#item(formatWords(format), kindWords(format), () => new ExportRequestedEvent(format)),
        )}
        <hr />
        ${this.#item(msg('All charts', { desc: 'export item' }), 'PNG', () => new PictureRequestedEvent(CHARTS))}
        ${this.#item(msg('Copy link to this view', { desc: 'export item' }), 'URL', () => new LinkRequestedEvent())}
      </div>
    `;
  }

  #item(words: string, kind: string, event: () => Event) {
    const act = () => {
      this.menu.hidePopover();
      this.dispatchEvent(event());
    };
    return html`<button @click=${act}>${words} <span>${kind}</span></button>`;
  }

  /** Under its button, wherever that stands. */
  readonly #place = (event: Event): void => {
    if (!(event.currentTarget instanceof HTMLElement)) return;
    const { bottom } = event.currentTarget.getBoundingClientRect();
    this.menu.style.setProperty('--menu-top', `${bottom + 4}px`);
  };
}

function formatWords(format: ExportFormat): string {
  switch (format) {
    case 'json':
      return msg('Report', { desc: 'export item' });
    case 'rows':
      return msg('Rows', { desc: 'export item' });
    case 'samples':
      return msg('Raw samples', { desc: 'export item' });
    case 'markdown':
      return msg('Summary', { desc: 'export item' });
    case 'junit':
      return msg('Test results', { desc: 'export item' });
    case 'html':
      return msg('Page for sharing', { desc: 'export item' });
    default:
      return assertNever(format);
  }
}

function kindWords(format: ExportFormat): string {
  switch (format) {
    case 'json':
      return 'JSON';
    case 'rows':
    case 'samples':
      return 'CSV';
    case 'markdown':
      return 'Markdown';
    case 'junit':
      return 'JUnit XML';
    case 'html':
      return 'HTML';
    default:
      return assertNever(format);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'app-export-menu': ExportMenu;
  }
}
