import { ContextConsumer } from '@lit/context';
import { type LitElement, type ReactiveController } from 'lit';
import { type RunKeeper } from '../../app/kept-runs.js';
import { runDate } from '../../app/words.js';
import { defined } from '../../base/errors.js';
import { type Comparison } from '../../model/report/comparison.js';
import { type ComparisonRequestedEvent, type KeptRunActedEvent } from '../events.js';
import { type Services, servicesContext } from '../services.js';

/** The list of kept runs and the comparison of two, for the page that shows them. The dialog is loaded when it is asked for. */
export class KeptRunsController implements ReactiveController {
  readonly #services: ContextConsumer<typeof servicesContext, LitElement>;
  #isLoaded = false;
  #comparison: Comparison | undefined;

  constructor(private readonly host: LitElement) {
    this.#services = new ContextConsumer(host, { context: servicesContext });
    host.addController(this);
  }

  hostConnected(): void {
    this.#isLoaded = false;
  }

  /** Whether the dialog's element is there to be rendered. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  get comparison(): Comparison | undefined {
    return this.#comparison;
  }

  async start(): Promise<void> {
    await this.#keeper().start();
  }

  /** Loads the dialog; true once it can be shown. */
  async load(): Promise<void> {
    await import('../parts/runs-dialog/runs-dialog.js');
    this.#isLoaded = true;
    this.host.requestUpdate();
    await this.host.updateComplete;
  }

  readonly onAction = ({ action }: KeptRunActedEvent): void => {
    const keeper = this.#keeper();
    switch (action.do) {
      case 'open':
        return void keeper.open(action.id);
      case 'remove':
        return void keeper.remove(action.id);
      case 'rename':
        return void keeper.rename(action.id, action.name);
      case 'undo':
        return void keeper.undo();
      case 'import':
        return void action.file.text().then((text) => keeper.import(action.file.name, text));
    }
  };

  readonly onComparison = ({ baseline, judged }: ComparisonRequestedEvent): void => {
    void this.#compare(baseline, judged);
  };

  async #compare(baseline: string, judged: string): Promise<void> {
    const keeper = this.#keeper();
    const reports = await keeper.readTwo(baseline, judged);
    if (reports === undefined) return;
    const { compareReports } = await import('../../model/report/compare.js');
    const name = (id: string) => {
      const head = keeper.headOf(id);
      return head === undefined || head.name === '' ? runDate(head?.createdAt ?? '') : head.name;
    };
    this.#comparison = compareReports(...reports, { names: [name(baseline), name(judged)] });
    this.host.requestUpdate();
  }

  #keeper(): RunKeeper {
    return defined<Services>(this.#services.value, 'the services').keeper;
  }
}
