import { localized, msg } from '@lit/localize';
import { html, LitElement } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { assertNever } from '../../../base/errors.js';
import { controls } from '../../styles/controls.styles.js';
import { icons } from '../../styles/icons.js';
import { styles } from '../export-menu/export-menu.styles.js';

/** What can be taken away from the Lab. */
export const LAB_EXPORTS = [
  'page',
  'report',
  'trace-a',
  'trace-b',
  'snapshot-a',
  'snapshot-b',
  'picture',
  'link',
] as const;
export type LabExport = (typeof LAB_EXPORTS)[number];

/** Something is to be taken away. */
export class LabExportRequestedEvent extends Event {
  static readonly eventName = 'app-lab-export-requested';
  constructor(readonly what: LabExport) {
    super(LabExportRequestedEvent.eventName, { bubbles: true, composed: true });
  }
}

/** The ways to take both runs away: each asks the page, which makes the file here and sends nothing. */
@localized()
@customElement('app-lab-export')
export class LabExportMenu extends LitElement {
  static override styles = [controls, styles];
  @property({ type: Boolean }) disabled = false;
  @query('.menu') private readonly menu!: HTMLElement;

  override render() {
    return html`
      <button class="open" popovertarget="menu" ?disabled=${this.disabled} @click=${this.#place}>
        ${msg('Export', { desc: 'button: opens the list of formats' })}${icons.open}
      </button>
      <div class="menu" id="menu" popover role="group" aria-label=${msg('Export', { desc: 'name of the list' })}>
        ${LAB_EXPORTS.map((what) => this.#item(what))}
      </div>
    `;
  }

  #item(what: LabExport) {
    const act = () => {
      this.menu.hidePopover();
      this.dispatchEvent(new LabExportRequestedEvent(what));
    };
    return html`<button @click=${act}>${exportWords(what)} <span>${kindWords(what)}</span></button>`;
  }

  /** Under its button, wherever that stands. */
  readonly #place = (event: Event): void => {
    if (!(event.currentTarget instanceof HTMLElement)) return;
    const { bottom } = event.currentTarget.getBoundingClientRect();
    this.menu.style.setProperty('--menu-top', `${bottom + 4}px`);
  };
}

function exportWords(what: LabExport): string {
  switch (what) {
    case 'page':
      return msg('Page of both sides, with why', { desc: 'export item' });
    case 'report':
      return msg('Report of both sides', { desc: 'export item' });
    case 'trace-a':
      return msg('Trace of A', { desc: 'export item' });
    case 'trace-b':
      return msg('Trace of B', { desc: 'export item' });
    case 'snapshot-a':
      return msg('Snapshot of A for PyTorch', { desc: 'export item' });
    case 'snapshot-b':
      return msg('Snapshot of B for PyTorch', { desc: 'export item' });
    case 'picture':
      return msg('Picture of the maps', { desc: 'export item' });
    case 'link':
      return msg('Copy link to this view', { desc: 'export item' });
    default:
      return assertNever(what);
  }
}

function kindWords(what: LabExport): string {
  switch (what) {
    case 'page':
      return 'HTML';
    case 'report':
    case 'trace-a':
    case 'trace-b':
      return 'JSON';
    case 'snapshot-a':
    case 'snapshot-b':
      return 'pickle';
    case 'picture':
      return 'PNG';
    case 'link':
      return 'URL';
    default:
      return assertNever(what);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'app-lab-export': LabExportMenu;
  }
  interface GlobalEventHandlersEventMap {
    'app-lab-export-requested': LabExportRequestedEvent;
  }
}
