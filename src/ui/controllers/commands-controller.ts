import { ContextConsumer } from '@lit/context';
import { type LitElement, type ReactiveController } from 'lit';
import { type CommandGroup } from '../../app/commands.js';
import { servicesContext } from '../services.js';

/**
 * Registers the commands of a page for as long as the page is in the document. They hold while the page is on screen.
 *
 *     readonly #commands = new CommandsController(this, 'lab', () => ({ commands: [...] }));
 */
export class CommandsController implements ReactiveController {
  readonly #services: ContextConsumer<typeof servicesContext, LitElement>;
  #stop: (() => void) | undefined;

  constructor(
    host: LitElement,
    private readonly page: string,
    private readonly group: () => CommandGroup,
  ) {
    this.#services = new ContextConsumer(host, { context: servicesContext, callback: () => this.#register() });
    host.addController(this);
  }

  hostConnected(): void {
    this.#register();
  }

  hostDisconnected(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #register(): void {
    const services = this.#services.value;
    if (services === undefined || this.#stop !== undefined) return;
    this.#stop = services.commands.register(this.page, this.group());
  }
}
