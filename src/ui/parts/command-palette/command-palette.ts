import { localized, msg } from '@lit/localize';
import { html, LitElement } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { capOf, type Command, isEnabled } from '../../../app/commands.js';
import { controls } from '../../styles/controls.styles.js';
import { styles } from './command-palette.styles.js';

/** Every command that can be given now, found by a part of its words. Up and Down choose, Enter runs, Escape closes. */
@localized()
@customElement('app-command-palette')
export class CommandPalette extends LitElement {
  static override styles = [controls, styles];
  @property({ attribute: false }) commands: readonly Command[] = [];
  @state() private typed = '';
  @state() private chosen = 0;
  @query('dialog') private readonly dialog!: HTMLDialogElement;
  @query('input') private readonly field!: HTMLInputElement;

  /** Opens it empty; open already, it is closed: the same key does both. */
  show(): void {
    this.typed = '';
    this.chosen = 0;
    void this.updateComplete.then(() => {
      if (this.dialog.open) this.dialog.close();
      else {
        this.dialog.showModal();
        this.field.focus();
      }
    });
  }

  override render() {
    const found = this.#found();
    const at = Math.min(this.chosen, found.length - 1);
    const label = msg('Commands', { desc: 'name of the command palette' });
    return html`
      <dialog aria-label=${label} closedby="any">
        <input
          type="text"
          role="combobox"
          aria-label=${msg('Find a command', { desc: 'field of the command palette' })}
          aria-controls="list"
          aria-expanded="true"
          aria-autocomplete="list"
          aria-activedescendant=${at < 0 ? '' : `command-${at}`}
          placeholder=${msg('Find a command', { desc: 'field of the command palette' })}
          autocomplete="off"
          .value=${this.typed}
          @input=${this.#onTyped}
          @keydown=${this.#onKey}
        />
        ${
          found.length === 0
            ? html`<p class="none" role="status">${msg('No command has these words.', { desc: 'command palette' })}</p>`
            : html`<ul id="list" role="listbox" aria-label=${label}>
                ${found.map((command, index) => this.#row(command, index, index === at))}
              </ul>`
        }
      </dialog>
    `;
  }

  #row(command: Command, index: number, isChosen: boolean) {
    const cap = command.keys?.[0];
    return html`<li
      id="command-${index}"
      role="option"
      aria-selected=${isChosen ? 'true' : 'false'}
      @click=${() => this.#run(command)}
    >
      ${command.title()}${cap === undefined ? '' : html`<kbd>${capOf(cap)}</kbd>`}
    </li>`;
  }

  #found(): readonly Command[] {
    const words = this.typed.trim().toLowerCase().split(/\s+/);
    return this.commands.filter((command) => {
      const title = command.title().toLowerCase();
      return command.id !== 'palette' && isEnabled(command) && words.every((word) => title.includes(word));
    });
  }

  #run(command: Command): void {
    this.dialog.close();
    command.run();
  }

  readonly #onTyped = (): void => {
    this.typed = this.field.value;
    this.chosen = 0;
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    const found = this.#found();
    const last = found.length - 1;
    if (event.key === 'Enter') {
      const command = found[Math.min(this.chosen, last)];
      if (command !== undefined) this.#run(command);
    } else if (event.key === 'ArrowDown') this.chosen = this.chosen >= last ? 0 : this.chosen + 1;
    else if (event.key === 'ArrowUp') this.chosen = this.chosen <= 0 ? Math.max(0, last) : this.chosen - 1;
    else return;
    event.preventDefault();
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }),
    );
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'app-command-palette': CommandPalette;
  }
}
