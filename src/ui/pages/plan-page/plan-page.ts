import { ContextConsumer } from '@lit/context';
import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { modelWords } from '../../../app/model-words.js';
import { openInLab } from '../../../app/handover.js';
import { architectureOf, fieldsOf, type PlanProblem } from '../../../app/plan-reading.js';
import {
  type CardFields,
  DEFAULT_VIEW,
  type PlanFields,
  type PlanSide,
  type PlanView,
  readPlanView,
  writePlanView,
} from '../../../app/plan-view.js';
import { planProblemWords } from '../../../app/plan-words.js';
import type { PlanAnswer } from '../../../app/plan-work.js';
import { AppError } from '../../../base/errors.js';
import { GiB } from '../../../base/units.js';
import type { ChangeRow } from '../../../model/plan/advice.js';
import { CommandsController } from '../../controllers/commands-controller.js';
import { PlanController } from '../../controllers/plan-controller.js';
import { MediaController } from '../../controllers/media-controller.js';
import { SelectController } from '../../controllers/select-controller.js';
import { type CardChangedEvent, type ConfigChosenEvent, type PlanChangedEvent } from '../../events.js';
import '../../parts/batch-chart/batch-chart.js';
import { barParts } from '../../parts/card-bar/card-bar.js';
import '../../parts/plan-form/plan-form.js';
import '../../parts/term-table/term-table.js';
import { servicesContext } from '../../services.js';
import { controls } from '../../styles/controls.styles.js';
import { icons } from '../../styles/icons.js';
import { type PageElement } from '../page.js';
import { planAdvice } from './plan-advice.js';
import { styles } from './plan-page.styles.js';
import { planLine, verdictOf } from './plan-page-words.js';

const SIDES = ['a', 'b'] as const;

/** Plan: where memory goes for a model, a job and a card, by formula and by a replay; one plan, or two beside each other. */
@localized()
@customElement('app-plan-page')
export class PlanPage extends LitElement implements PageElement {
  static override styles = [controls, styles];
  readonly #services = new ContextConsumer(this, { context: servicesContext });
  readonly #link: SelectController<string> = new SelectController(this, ({ views }) => views['plan'] ?? '');
  readonly #plans = new PlanController(this);
  readonly #narrow = new MediaController(this, '(max-width: 75rem)');
  @property({ type: Boolean, reflect: true }) presenting = false;
  @property({ type: Boolean, attribute: false }) shown = true;
  @state() private view: PlanView = DEFAULT_VIEW;
  /** The plan that the form edits. */
  @state() private side: PlanSide = 'a';
  /** What is wrong with the file that was opened last; gone with the next change. */
  @state() private fileProblem: PlanProblem | undefined;
  #read: string | undefined;

  constructor() {
    super();
    new CommandsController(this, 'plan', () => ({
      commands: [
        {
          id: 'plan-compare',
          title: () => msg('Compare two plans', { desc: 'command' }),
          run: () => this.#onCompare(),
        },
      ],
    }));
  }

  override willUpdate(): void {
    this.#takeLink();
    if (this.shown) this.#plans.compute(this.view);
  }

  override render() {
    return html`
      ${this.#renderRail()}
      <div class="stage" @drop=${this.#onDrop} @dragover=${(event: DragEvent) => event.preventDefault()}>
        ${this.#renderBars()}
        <div class="middle">
          ${this.#renderChart()}
          <div
            class="advice"
            tabindex="0"
            role="group"
            aria-label=${msg('What the replay says', { desc: 'plan: name of the pane' })}
          >
            ${this.#renderAdvice()}
          </div>
        </div>
        <app-term-table
          .a=${this.#plans.answers.a}
          .b=${this.view.b === undefined ? undefined : this.#plans.answers.b}
        ></app-term-table>
      </div>
    `;
  }

  #renderRail() {
    const label = msg('Setup', { desc: 'name of the side with model, job and card' });
    if (!this.#narrow.matches) return html`<aside class="rail" aria-label=${label}>${this.#renderSetup()}</aside>`;
    return html`
      <aside class="rail" aria-label=${label}>
        <details>
          <summary>
            ${icons.open}
            <h2>${label}</h2>
            <span class="quiet summary">${planLine(this.#fields(), this.view.card)}</span>
          </summary>
          ${this.#renderSetup()}
        </details>
      </aside>
    `;
  }

  #renderSetup() {
    const { b } = this.view;
    return html`
      <div class="sides">
        ${
          b === undefined
            ? html`<button class="text" @click=${this.#onCompare}>
                ${msg('Compare with a second plan', { desc: 'button' })}
              </button>`
            : html`
                ${SIDES.map(
                  (side) => html`
                    <button
                      class="text"
                      aria-pressed=${this.side === side ? 'true' : 'false'}
                      @click=${() => (this.side = side)}
                    >
                      ${sideWords(side)}
                    </button>
                  `,
                )}
                <button class="text" @click=${this.#onSingle}>
                  ${msg('Remove B', { desc: 'button: back to one plan' })}
                </button>
              `
        }
      </div>
      <app-plan-form
        .fields=${this.#fields()}
        .card=${this.view.card}
        .problem=${this.fileProblem ?? this.#plans.problems[this.side]}
        .architecture=${architectureOf(this.#fields())}
        @app-plan-changed=${this.#onFields}
        @app-card-changed=${this.#onCard}
        @app-config-chosen=${this.#onConfig}
      ></app-plan-form>
    `;
  }

  #renderBars() {
    const shown = this.#sides().flatMap((side) => {
      const answer = this.#plans.answers[side];
      return answer === undefined ? [] : [{ side, answer, parts: barParts(answer) }];
    });
    const capacity = this.#plans.card?.capacity ?? 0;
    const sums = shown.map(({ parts }) => parts.reduce((sum, { bytes }) => sum + bytes, 0));
    const scale = 1.02 * Math.max(capacity, ...sums);
    return html`
      <div class="bars">
        ${shown.map(({ side, answer, parts }) => {
          const { state: outcome, words } = verdictOf(answer, capacity);
          return html`
            <app-card-bar
              .parts=${parts}
              .capacity=${capacity}
              .scale=${scale}
              .heading=${this.view.b === undefined ? nameOf(answer) : `${sideWords(side)}: ${nameOf(answer)}`}
              .verdict=${words}
              .state=${outcome}
            ></app-card-bar>
          `;
        })}
      </div>
    `;
  }

  #renderChart() {
    const answer = this.#plans.answers[this.side];
    const problem = this.#plans.problems[this.side];
    const reason = typeof answer?.replay === 'string' && answer.largest === undefined ? answer.replay : '';
    const why = problem === undefined ? '' : planProblemWords(problem);
    const note = answer === undefined ? why : modelWords(reason);
    return html`
      <app-batch-chart
        .points=${answer?.points ?? []}
        .capacity=${this.#plans.card?.capacity ?? 0}
        .planned=${answer?.plan.settings.batch ?? 0}
        .largest=${answer?.largest}
        .note=${note}
      ></app-batch-chart>
    `;
  }

  #renderAdvice() {
    const answer = this.#plans.answers[this.side];
    const services = this.#services.value;
    if (answer === undefined || services === undefined) {
      return html`<p class="hint">
        ${msg('Nothing is planned yet: the setup has a field that cannot be used.', { desc: 'plan: in place of a result' })}
      </p>`;
    }
    const canOpen = services.router.has('lab') && typeof answer.replay !== 'string';
    return html`
      ${planAdvice(answer, this.#plans.card?.capacity ?? 0, this.#onApply)}
      ${
        canOpen
          ? html`<button @click=${this.#onLab}>${msg('Open the step in the Lab', { desc: 'button' })}</button>`
          : nothing
      }
    `;
  }

  #sides(): readonly PlanSide[] {
    return this.view.b === undefined ? ['a'] : SIDES;
  }

  #fields(): PlanFields {
    return this.side === 'b' && this.view.b !== undefined ? this.view.b : this.view.a;
  }

  /** What a link or Back says, once. */
  #takeLink(): void {
    const text = this.#services.value === undefined ? undefined : this.#link.value;
    if (text === undefined || text === this.#read) return;
    this.#read = text;
    if (text === writePlanView(this.view)) return;
    const { view, problems } = readPlanView(text);
    this.view = view;
    if (view.b === undefined) this.side = 'a';
    this.#services.value?.router.refuse(problems);
  }

  #show(view: PlanView, how: 'push' | 'replace' = 'replace'): void {
    this.view = view;
    this.fileProblem = undefined;
    const text = writePlanView(view);
    this.#read = text;
    this.#services.value?.router.show('plan', text, how);
  }

  #edit(change: Partial<PlanFields>): void {
    const fields = { ...this.#fields(), ...change };
    this.#show(this.side === 'b' ? { ...this.view, b: fields } : { ...this.view, a: fields });
  }

  readonly #onFields = ({ change }: PlanChangedEvent): void => this.#edit(change);

  readonly #onCard = ({ change }: CardChangedEvent): void => {
    const card: CardFields = { ...this.view.card, ...change };
    this.#show({ ...this.view, card });
  };

  readonly #onConfig = ({ file }: ConfigChosenEvent): void => void this.#openConfig(file);

  readonly #onDrop = (event: DragEvent): void => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file !== undefined) void this.#openConfig(file);
  };

  async #openConfig(file: File): Promise<void> {
    const { readConfigFile } = await import('../../../app/config-file.js');
    try {
      this.#edit({ arch: 'config', config: await readConfigFile(file) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.fileProblem = { field: 'config', message: error.message, what: file.name };
    }
  }

  readonly #onCompare = (): void => {
    if (this.view.b !== undefined) return;
    this.side = 'b';
    this.#show({ ...this.view, b: this.view.a }, 'push');
  };

  readonly #onSingle = (): void => {
    this.side = 'a';
    this.#plans.stop('b');
    this.#show({ ...this.view, b: undefined }, 'push');
  };

  readonly #onApply = ({ settings, conf }: ChangeRow): void => {
    const fields = { ...this.#fields(), ...fieldsOf(settings) };
    const card = { ...this.view.card, conf: conf ?? this.view.card.conf };
    this.#show({ ...this.view, card, [this.side]: fields }, 'push');
  };

  readonly #onLab = (): void => {
    const services = this.#services.value;
    const first = this.#plans.answers[this.side];
    if (services === undefined || first === undefined || typeof first.replay === 'string') return;
    const { trace } = first.replay.step;
    const { allocator } = first.replay;
    const conf = allocator.conf ?? '';
    const other = this.side === 'a' ? this.#plans.answers.b : this.#plans.answers.a;
    const side = { trace, allocator: allocator.name, conf };
    const second =
      this.view.b !== undefined && other !== undefined && typeof other.replay !== 'string'
        ? { ...side, trace: other.replay.step.trace, label: () => nameOf(other) }
        : { ...side, conf: 'expandable_segments:True', allocator: 'caching', label: () => 'expandable_segments:True' };
    openInLab(services, {
      name: trace.name,
      a: { ...side, label: () => nameOf(first) },
      b: second,
      capacity: first.replay.card?.available ?? GiB(80),
      note: () => msg('One step of a plan: made from the architecture, not recorded.', { desc: 'note in the Lab' }),
    });
  };
}

/** What the model of a plan is called; one of which only a count is known is called after it. */
const nameOf = ({ plan }: PlanAnswer): string => modelWords(plan.model.name);

function sideWords(side: PlanSide): string {
  const letter = side.toUpperCase();
  return msg(str`Plan ${letter}`, { desc: 'name of one of two plans' });
}

declare global {
  interface HTMLElementTagNameMap {
    'app-plan-page': PlanPage;
  }
}
