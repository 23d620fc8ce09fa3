import { ContextConsumer } from '@lit/context';
import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { modelWords } from '../../../app/model-words.js';
import { badgeOf } from '../../../app/adapter-state.js';
import { type AppState } from '../../../app/app-state.js';
import { type Command } from '../../../app/commands.js';
import { type DeviceState, hasDeviceRun, runOnDevice } from '../../../app/lesson/device-run.js';
import { labLanguage } from '../../../app/lesson/language.js';
import { LessonSession, stepOf } from '../../../app/lesson/lesson-session.js';
import {
  COURSE_VIEW,
  FILE_HERE,
  type LessonView,
  readLessonView,
  writeLessonView,
} from '../../../app/lesson/lesson-view.js';
import { packLesson } from '../../../app/lesson/share-link.js';
import { stepAt } from '../../../app/lesson/step-order.js';
import { isActive } from '../../../app/run-state.js';
import { AppError, defined, messageOf } from '../../../base/errors.js';
import { type Language } from '../../../model/lesson/local-text.js';
import { LARGEST_FILE } from '../../../model/lesson/read-course.js';
import { stepName } from '../../../model/lesson/run-again.js';
import { type ChoiceId, type Lesson, type Step } from '../../../model/lesson/schema.js';
import { loadWords, type Words } from '../../../model/lesson/words.js';
import { CommandsController } from '../../controllers/commands-controller.js';
import { SelectController } from '../../controllers/select-controller.js';
import { type Services, servicesContext } from '../../services.js';
import { controls } from '../../styles/controls.styles.js';
import { nextFrame } from '../../next-frame.js';
import { icons } from '../../styles/icons.js';
import { table } from '../../styles/table.styles.js';
import { type PageElement } from '../page.js';
import { saveFile } from '../measure-page/save-file.js';
import { courseList } from './course-list.js';
import { deviceBox } from './device-box.js';
import { lessonCommands } from './lesson-commands.js';
import { styles } from './lesson-page.styles.js';
import { stepQuestion } from './step-question.js';
import { localText, seedWords } from './words.js';
import { wordList } from './word-list.js';

const NAME = 'lesson';
const IDLE: DeviceState = { kind: 'idle' };

/** Lesson: predict, run, see, keep one sentence; by keys, on a projector, on the GPU in the room. */
@localized()
@customElement('app-lesson-page')
export class LessonPage extends LitElement implements PageElement {
  static override styles = [controls, table, styles];
  @property({ type: Boolean, reflect: true }) presenting = false;
  @property({ type: Boolean }) shown = false;
  /** What was done last, for a status region. */
  @state() private told = '';
  @state() private words: Words | undefined;
  @state() private isOver = false;
  readonly #state: SelectController<AppState> = new SelectController(this, (all: AppState) => all);
  readonly #services: ContextConsumer<typeof servicesContext, LitElement>;
  readonly #session = new LessonSession(nextFrame);
  /** The view as it stands in the link. */
  #text: string | undefined;
  #abort: AbortController | undefined;

  constructor() {
    super();
    this.#services = new ContextConsumer(this, { context: servicesContext });
    // Scenes draw with the Lab's views; the course and a step's question are on screen before these have come.
    void import('../../parts/lesson-scene/lesson-scene.js');
    new CommandsController(this, NAME, () => ({ commands: this.#listCommands() }));
    this.#session.store.subscribe(() => this.requestUpdate());
    this.addEventListener('dragover', this.#onDragOver);
    this.addEventListener('dragleave', this.#onDragLeave);
    this.addEventListener('drop', this.#onDrop);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#abort?.abort();
  }

  override willUpdate(): void {
    const text = this.#state.value.views[NAME] ?? '';
    if (text === this.#text) return;
    this.#text = text;
    const { view, problems } = readLessonView(text);
    if (problems.length > 0) this.#need().router.refuse(problems);
    else void this.#session.go(this.#withKnown(view));
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
    void this.#go({ ...this.#session.state.view, ...change }, 'replace');
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
    this.#abort?.abort();
    this.#session.reset(step);
    this.#change({ pick: undefined, reveal: false });
  }

  move(by: 1 | -1): void {
    if (this.#step === undefined) return;
    const next = stepAt(this.#view, by, this.#session.state.own?.lessons ?? []);
    void this.#go(this.#withKnown(next), 'push');
  }

  /** Runs the step on this machine's GPU, or stops it. */
  async runOnGpu(): Promise<void> {
    const step = this.#step;
    const { adapter } = this.#state.value;
    if (step === undefined || this.#isBusy || adapter.kind !== 'ready' || !hasDeviceRun(step)) return;
    const abort = new AbortController();
    this.#abort?.abort();
    this.#abort = abort;
    const tell = (device: DeviceState): void => {
      if (!abort.signal.aborted) this.#session.device(step, device);
    };
    const { engine } = this.#need();
    const adapterClass = adapter.environment.adapter.class;
    const end = await runOnDevice(step, { engine, adapterClass }, abort.signal, tell);
    if (this.#abort === abort || end.kind !== 'cancelled') this.#session.device(step, end);
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

  // --- what is on the page ------------------------------------------------------------------------------------------

  override render() {
    const { view, trouble } = this.#session.state;
    return html`
      ${trouble === '' ? nothing : this.#renderTrouble(trouble)}
      ${view.screen === 'words' ? this.#renderWords() : this.#step === undefined ? this.#renderCourse() : this.#renderStep(this.#step)}
      ${this.isOver ? html`<p class="over">${msg('Drop a lesson file to open it', { desc: 'while a file is dragged' })}</p>` : nothing}
    `;
  }

  #renderTrouble(trouble: string) {
    return html`
      <div class="notice" role="alert">
        <p>${modelWords(trouble)}</p>
        <button
          class="icon"
          aria-label=${msg('Close the notice', { desc: 'button' })}
          @click=${() => this.#session.closeTrouble()}
        >
          ${icons.close}
        </button>
      </div>
    `;
  }

  #renderCourse() {
    const own = this.#session.state.own;
    return html`
      <div class="scrolls">
        ${courseList(this.#language, own?.lessons ?? [], (lesson) => this.#linkTo(lesson), {
          onOpen: (lesson) => void this.#go(this.#viewOf({ lesson }), 'push'),
          onOpenOwn: (lesson) => void this.#openOwn(lesson),
          onFile: (file) => void this.#openFile(file),
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
      void this.#go(this.#withKnown(this.#viewOf({ lesson, step })), 'push');
    };
    const onBack = (): void => void this.#go(COURSE_VIEW, 'push');
    return html` <div class="scrolls">${wordList(this.words, this.#language, onStep, onBack)}</div> `;
  }

  #renderStep(step: Step) {
    const { lesson, picks, models } = this.#session.state;
    if (lesson === undefined) return nothing;
    const model = models.get(step);
    const { reveal } = this.#view;
    const { adapter } = this.#state.value;
    const device = this.#device(step);
    return html`
      ${this.#renderHead(lesson, step)}
      <div class="body">
        ${stepQuestion(
          { step, language: this.#language, pick: picks.get(step), revealed: reveal, model },
          { onPick: (choice) => this.pick(choice), onShow: () => this.show() },
        )}
        <div class="stage">
          <app-lesson-scene
            .step=${step}
            .result=${model?.kind === 'done' ? model.result : undefined}
            .revealed=${reveal}
            .device=${device}
            .language=${this.#language}
            .badge=${badgeOf(adapter)}
            .presenting=${this.presenting}
          ></app-lesson-scene>
          ${deviceBox(
            { step, language: this.#language, adapter, device, isBusy: this.#isBusy },
            { onRun: () => void this.runOnGpu(), onCancel: () => this.#abort?.abort() },
          )}
        </div>
      </div>
      ${this.#renderFoot()}
    `;
  }

  #renderHead(lesson: Lesson, step: Step) {
    const { own, view } = this.#session.state;
    return html`
      <header class="head">
        <p class="course-name">
          <button class="text" @click=${() => void this.#go(COURSE_VIEW, 'push')}>
            ${msg('All lessons', { desc: 'button: back to the list of lessons' })}
          </button>
          ${localText(lesson.title, this.#language)}
        </p>
        ${this.#renderDots(lesson, step)}
        <p class="tools">
          <span class="seed">${seedWords(step)}</span>
          <button class="text aux" @click=${() => void this.saveHandOut()}>
            ${msg('Hand-out', { desc: 'button: saves the lesson with its results as a page' })}
          </button>
          ${view.file === '' || own === undefined ? nothing : this.#renderShare(own.name, own.text)}
        </p>
        <p class="unseen" role="status">${this.told}</p>
      </header>
    `;
  }

  #renderDots({ id, steps }: Lesson, current: Step) {
    const { revealed } = this.#session.state;
    return html`
      <ol class="dots">
        ${steps.map((step, i) => {
          const view = this.#withKnown({
            ...this.#viewOf({ lesson: id, step: stepName(step) }),
            file: this.#view.file,
          });
          const isDone = revealed.has(step);
          const number = i + 1;
          const name = isDone
            ? msg(str`Step ${number}, seen`, { desc: 'lesson: link to a step whose answer was shown' })
            : msg(str`Step ${number}`, { desc: 'lesson: link to a step' });
          return html`
            <li>
              <button
                class=${isDone ? 'done' : ''}
                aria-label=${name}
                aria-current=${step === current ? 'step' : nothing}
                @click=${() => void this.#go(view, 'push')}
              >
                ${number}
              </button>
            </li>
          `;
        })}
      </ol>
    `;
  }

  #renderShare(name: string, text: string) {
    return html`
      <button class="text aux" @click=${() => void this.#copyLink()}>
        ${msg('Copy link', { desc: 'button: the lesson in a link' })}
      </button>
      <button
        class="text aux"
        @click=${() => saveFile(name.endsWith('.json') ? name : 'lesson.json', new Blob([text], { type: 'application/json' }))}
      >
        ${msg('Save file', { desc: 'button: the lesson as a file' })}
      </button>
    `;
  }

  #renderFoot() {
    const { pick, reveal } = this.#view;
    return html`
      <footer class="foot">
        <button class="big" @click=${() => this.move(-1)}>
          ${icons.back} ${msg('Previous', { desc: 'button: the step before' })}
        </button>
        <button class="big quietly" @click=${() => this.reset()}>
          ${msg('Reset', { desc: 'button: back to the state of the question' })} <kbd>R</kbd>
        </button>
        <button class="big primary" ?disabled=${pick === undefined} @click=${() => this.show()}>
          ${
            reveal
              ? msg('Hide the answer', { desc: 'button: lesson' })
              : msg('Show what happens', { desc: 'button: lesson' })
          }
        </button>
        <button class="big" @click=${() => this.move(1)}>
          ${msg('Next', { desc: 'button: the step after' })} ${icons.forward}
        </button>
      </footer>
    `;
  }

  // --- files --------------------------------------------------------------------------------------------------------

  async #openFile(file: File): Promise<void> {
    const text = file.size > LARGEST_FILE ? ' '.repeat(LARGEST_FILE + 1) : await file.text();
    let packed = FILE_HERE;
    try {
      packed = await packLesson(text);
    } catch (error) {
      // It does not fit a link; it is open in this tab all the same.
      if (!(error instanceof AppError)) throw error;
    }
    const view = this.#session.open(text, file.name, packed);
    if (view !== undefined) await this.#go(view, 'push');
  }

  async #openOwn(lesson: string): Promise<void> {
    const { own } = this.#session.state;
    if (own === undefined) return;
    const packed = await packLesson(own.text).catch(() => FILE_HERE);
    await this.#go({ ...this.#viewOf({ lesson }), file: packed }, 'push');
  }

  async #copyLink(): Promise<void> {
    if (this.#view.file === FILE_HERE) {
      this.told = msg('This lesson is too large for a link. Save it as a file.', { desc: 'status' });
      return;
    }
    try {
      await navigator.clipboard.writeText(location.href);
      this.told = msg('The link was copied.', { desc: 'status' });
    } catch (error) {
      this.told = msg(
        str`The browser did not let the link be copied (${messageOf(error)}). The address bar shows it.`,
        {
          desc: 'status',
        },
      );
    }
  }

  readonly #onDragOver = (event: DragEvent): void => {
    event.preventDefault();
    this.isOver = true;
  };

  readonly #onDragLeave = (): void => {
    this.isOver = false;
  };

  readonly #onDrop = (event: DragEvent): void => {
    event.preventDefault();
    this.isOver = false;
    const [file] = event.dataTransfer?.files ?? [];
    if (file !== undefined) void this.#openFile(file);
  };

  // --- small things -------------------------------------------------------------------------------------------------

  #listCommands(): readonly Command[] {
    return lessonCommands({
      isOpen: () => this.shown && this.#step !== undefined,
      pick: (choice) => this.pick(choice),
      show: () => this.show(),
      reset: () => this.reset(),
      move: (by) => this.move(by),
      runOnGpu: () => void this.runOnGpu(),
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

  get #isBusy(): boolean {
    return isActive(this.#state.value.run);
  }

  #device(step: Step): DeviceState {
    return this.#session.state.devices.get(step) ?? IDLE;
  }

  #viewOf(part: Partial<LessonView>): LessonView {
    return { ...COURSE_VIEW, screen: 'step', ...part };
  }

  /** With the guess and the answer that the step has already, where the view names none. */
  #withKnown(view: LessonView): LessonView {
    const { lesson, own, picks, revealed } = this.#session.state;
    const lessons = [...(lesson === undefined ? [] : [lesson]), ...(view.file === '' ? [] : (own?.lessons ?? []))];
    const step = lessons.find(({ id }) => id === view.lesson)?.steps.find((each) => stepName(each) === view.step);
    if (step === undefined || view.pick !== undefined) return view;
    return { ...view, pick: picks.get(step), reveal: revealed.has(step) };
  }

  #linkTo(lesson: string): string {
    return `#${NAME}?v=1&${writeLessonView(this.#viewOf({ lesson }))}`;
  }

  #need(): Services {
    return defined(this.#services.value, 'the services');
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'app-lesson-page': LessonPage;
  }
}
