import { ContextConsumer } from '@lit/context';
import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { modelWords } from '../../../app/model-words.js';
import { badgeOf } from '../../../app/adapter-state.js';
import { type AppState } from '../../../app/app-state.js';
import { type Command } from '../../../app/commands.js';
import { type DeviceState } from '../../../app/lesson/device-run.js';
import { labLanguage } from '../../../app/lesson/language.js';
import { LessonGpu } from '../../../app/lesson/lesson-gpu.js';
import { type LessonPort } from '../../../app/lesson/lesson-port.js';
import { LessonSession, stepOf } from '../../../app/lesson/lesson-session.js';
import { COURSE_VIEW, type LessonView, readLessonView, writeLessonView } from '../../../app/lesson/lesson-view.js';
import { stepAt } from '../../../app/lesson/step-order.js';
import { defined } from '../../../base/errors.js';
import { LessonClient } from '../../../engine/lesson-client.js';
import { type Language } from '../../../model/lesson/local-text.js';
import { type ChoiceId, type Step } from '../../../model/lesson/schema.js';
import { loadWords, type Words } from '../../../model/lesson/words.js';
import { CommandsController } from '../../controllers/commands-controller.js';
import { DropController } from '../../controllers/drop-controller.js';
import { SelectController } from '../../controllers/select-controller.js';
import { notices, noticeStyles } from '../../parts/notice.js';
import { type Services, servicesContext } from '../../services.js';
import { controls } from '../../styles/controls.styles.js';
import { table } from '../../styles/table.styles.js';
import { type PageElement } from '../page.js';
import { saveFile } from '../measure-page/save-file.js';
import { courseList } from './course-list.js';
import { courseStyles } from './course-list.styles.js';
import { deviceBox } from './device-box.js';
import { deviceStyles } from './device-box.styles.js';
import { lessonCommands } from './lesson-commands.js';
import { styles } from './lesson-page.styles.js';
import { copyLessonLink, openOwnFile, openPasted, packed, saveOwnFile } from './own-files.js';
import { stepFoot, stepHead } from './step-frame.js';
import { stepQuestion } from './step-question.js';
import { questionStyles } from './step-question.styles.js';
import { wordList } from './word-list.js';
import { wordStyles } from './word-list.styles.js';

const NAME = 'lesson';
const IDLE: DeviceState = { kind: 'idle' };

/** Lesson: predict, run, see, keep one sentence; by keys, on a projector, on the GPU in the room. */
@localized()
@customElement('app-lesson-page')
export class LessonPage extends LitElement implements PageElement {
  static override styles = [
    controls,
    table,
    noticeStyles,
    courseStyles,
    wordStyles,
    questionStyles,
    deviceStyles,
    styles,
  ];
  @property({ type: Boolean, reflect: true }) presenting = false;
  @property({ type: Boolean }) shown = false;
  /** What was done last, for a status region. */
  @state() private told = '';
  @state() private words: Words | undefined;
  readonly #state: SelectController<AppState> = new SelectController(this, (all: AppState) => all);
  readonly #services: ContextConsumer<typeof servicesContext, LitElement>;
  readonly #models: LessonPort = new LessonClient();
  readonly #session = new LessonSession(this.#models);
  readonly #gpu = new LessonGpu(this.#session, this.#models);
  readonly #drop: DropController;
  /** The view as it stands in the link. */
  #text: string | undefined;

  constructor() {
    super();
    this.#services = new ContextConsumer(this, { context: servicesContext });
    // Scenes draw with the Lab's views; the course and a step's question are on screen before these have come.
    void import('../../parts/lesson-scene/lesson-scene.js');
    new CommandsController(this, NAME, () => ({ commands: this.#listCommands() }));
    this.#drop = new DropController(this, {
      isActive: () => this.shown,
      onFiles: ([file]) => {
        if (file !== undefined) void this.#open(openOwnFile(this.#session, file));
      },
      onText: (text) => void this.#open(openPasted(this.#session, text)),
    });
    this.#session.store.subscribe(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#gpu.drop();
    this.#models.dispose();
  }

  override willUpdate(): void {
    const text = this.#state.value.views[NAME] ?? '';
    if (text === this.#text) return;
    this.#text = text;
    const { view, problems } = readLessonView(text);
    if (problems.length > 0) this.#need().router.refuse(problems);
    else void this.#session.go(this.#session.known(view));
  }

  // --- what can be done ---------------------------------------------------------------------------------------------

  /** Goes to a view; `push` is a step that Back takes back. */
  async #go(view: LessonView, how: 'push' | 'replace'): Promise<void> {
    this.told = '';
    if (!(await this.#session.go(view))) return;
    this.#text = writeLessonView(this.#session.state.view);
    this.#need().router.show(NAME, this.#text, how);
  }

  #change(change: Partial<LessonView>): void {
    void this.#go({ ...this.#view, ...change }, 'replace');
  }

  /** Takes an answer, and the focus with it: Enter on it shows what happens. */
  pick(choice: ChoiceId): void {
    if (this.#step === undefined || this.#view.reveal) return;
    this.#change({ pick: choice });
    this.renderRoot.querySelector<HTMLElement>(`[data-choice='${choice}']`)?.focus();
  }

  /** Shows what happens, or hides it again. Does nothing before there is a guess. */
  show(): void {
    const { pick, reveal } = this.#view;
    if (this.#step !== undefined && pick !== undefined) this.#change({ reveal: !reveal });
  }

  /** Back to the step's exact state. */
  reset(): void {
    const step = this.#step;
    if (step === undefined) return;
    if (this.#device(step).kind === 'running') this.#gpu.drop();
    this.#session.reset(step);
    this.#change({ pick: undefined, reveal: false });
  }

  move(by: 1 | -1): void {
    if (this.#step === undefined) return;
    // Enter on the next step must not choose the answer that has the place of this step's.
    this.renderRoot.querySelector<HTMLElement>('[data-choice]:focus')?.blur();
    const next = stepAt(this.#view, by, this.#session.state.own?.lessons ?? []);
    void this.#go(this.#session.known(next), 'push');
  }

  /** Runs the step on this machine's GPU. */
  runOnGpu(): void {
    const { adapter } = this.#state.value;
    if (this.#step === undefined || adapter.kind !== 'ready') return;
    const { engine, gpu } = this.#need();
    void this.#gpu.run(this.#step, { engine, gpu, environment: adapter.environment });
  }

  async saveHandOut(): Promise<void> {
    const { lesson, own, view } = this.#session.state;
    if (lesson === undefined) return;
    this.told = msg('Running every step for the hand-out', { desc: 'status' });
    const { handOutFile } = await import('./hand-out-file.js');
    const source = view.file === '' ? lesson.id : (own?.name ?? lesson.id);
    const { name, html: text } = await handOutFile(this.#session, lesson, source, this.#language);
    saveFile(name, new Blob([text], { type: 'text/html' }));
    this.told = msg(str`Saved ${name}.`, { desc: 'status: after an export' });
  }

  /** Goes to what a file holds, once it is read. */
  async #open(opening: Promise<LessonView | undefined>): Promise<void> {
    const view = await opening;
    if (view !== undefined) await this.#go(view, 'push');
  }

  async #openOwn(lesson: string): Promise<void> {
    const { own } = this.#session.state;
    if (own !== undefined) await this.#go(viewOf({ lesson, file: await packed(own.text) }), 'push');
  }

  // --- what is on the page ------------------------------------------------------------------------------------------

  override render() {
    const { view, trouble } = this.#session.state;
    const step = this.#step;
    return html`
      ${notices(trouble === '' ? [] : [modelWords(trouble)], () => this.#session.closeTrouble())}
      ${view.screen === 'words' ? this.#renderWords() : step === undefined ? this.#renderCourse() : this.#renderStep(step)}
      ${this.#drop.isOver ? html`<p class="over">${msg('Drop a lesson file to open it', { desc: 'while a file is dragged' })}</p>` : nothing}
    `;
  }

  #renderCourse() {
    const own = this.#session.state.own;
    return html`
      <div class="scrolls">
        ${courseList(this.#language, own?.lessons ?? [], linkTo, {
          onOpen: (lesson) => void this.#go(viewOf({ lesson }), 'push'),
          onOpenOwn: (lesson) => void this.#openOwn(lesson),
          onFile: (file) => void this.#open(openOwnFile(this.#session, file)),
          onWords: () => void this.#go({ ...COURSE_VIEW, screen: 'words' }, 'push'),
        })}
      </div>
    `;
  }

  #renderWords() {
    if (this.words === undefined) {
      void loadWords().then((words) => (this.words = words));
      return html`<p class="waiting" role="status">${msg('Loading', { desc: 'while a list arrives' })}</p>`;
    }
    const onStep = (id: string): void => {
      const [lesson = '', step = ''] = id.split('/');
      void this.#go(this.#session.known(viewOf({ lesson, step })), 'push');
    };
    const onBack = (): void => void this.#go(COURSE_VIEW, 'push');
    return html` <div class="scrolls">${wordList(this.words, this.#language, onStep, onBack)}</div> `;
  }

  #renderStep(step: Step) {
    const { picks, models } = this.#session.state;
    const model = models.get(step);
    const { pick, reveal } = this.#view;
    const { adapter, gpuHolder } = this.#state.value;
    const device = this.#device(step);
    return html`
      ${this.#renderHead(step)}
      <div class="body">
        ${stepQuestion(
          { step, language: this.#language, pick: picks.get(step), revealed: reveal, model },
          { onPick: (choice) => this.pick(choice), onShow: () => this.show() },
        )}
        <div class="stage">
          <app-lesson-scene
            .step=${step}
            .load=${this.#session.scene}
            .result=${model?.kind === 'done' ? model.result : undefined}
            .revealed=${reveal}
            .device=${device}
            .language=${this.#language}
            .badge=${badgeOf(adapter)}
            .presenting=${this.presenting}
          ></app-lesson-scene>
          ${deviceBox(
            { step, language: this.#language, adapter, device, holder: gpuHolder },
            { onRun: () => this.runOnGpu(), onCancel: () => this.#gpu.cancel() },
          )}
        </div>
      </div>
      ${stepFoot(
        { hasGuess: pick !== undefined, isShown: reveal },
        { onMove: (by) => this.move(by), onReset: () => this.reset(), onShow: () => this.show() },
      )}
    `;
  }

  #renderHead(step: Step) {
    const { lesson, own, revealed } = this.#session.state;
    if (lesson === undefined) return nothing;
    const { file } = this.#view;
    const isOwn = file !== '' && own !== undefined;
    return stepHead(
      { lesson, step, language: this.#language, seen: revealed, isOwn, told: this.told },
      {
        onCourse: () => void this.#go(COURSE_VIEW, 'push'),
        onStep: (name) => void this.#go(this.#session.known(viewOf({ lesson: lesson.id, step: name, file })), 'push'),
        onHandOut: () => void this.saveHandOut(),
        onCopyLink: () => void copyLessonLink(this.#view).then((told) => (this.told = told)),
        onSaveFile: () => saveOwnFile(this.#session),
      },
    );
  }

  // --- small things -------------------------------------------------------------------------------------------------

  #listCommands(): readonly Command[] {
    return lessonCommands({
      isOpen: () => this.shown && this.#step !== undefined,
      pick: (choice) => this.pick(choice),
      show: () => this.show(),
      reset: () => this.reset(),
      move: (by) => this.move(by),
      runOnGpu: () => this.runOnGpu(),
      saveHandOut: () => void this.saveHandOut(),
    });
  }

  get #view(): LessonView {
    return this.#session.state.view;
  }

  get #step(): Step | undefined {
    return stepOf(this.#session.state);
  }

  get #language(): Language {
    return labLanguage();
  }

  #device(step: Step): DeviceState {
    return this.#session.state.devices.get(step) ?? IDLE;
  }

  #need(): Services {
    return defined(this.#services.value, 'the services');
  }
}

const viewOf = (part: Partial<LessonView>): LessonView => ({ ...COURSE_VIEW, screen: 'step', ...part });

const linkTo = (lesson: string): string => `#${NAME}?v=1&${writeLessonView(viewOf({ lesson }))}`;

declare global {
  interface HTMLElementTagNameMap {
    'app-lesson-page': LessonPage;
  }
}
