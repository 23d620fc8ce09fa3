import { type LitElement, type ReactiveController } from 'lit';
import { type AppState } from '../../../app/app-state.js';
import {
  capacityProblem,
  DEFAULT_VIEW,
  type DiagnoseView,
  readDiagnoseView,
  settingsProblem,
  writeDiagnoseView,
} from '../../../app/diagnose/diagnose-view.js';
import { type LinkProblem } from '../../../app/url-state.js';
import { ContextConsumer } from '@lit/context';
import { SelectController } from '../../controllers/select-controller.js';
import { type Services, servicesContext } from '../../services.js';

export const DIAGNOSE = 'diagnose';

/** A text that stands in a field and cannot be used, with the reason. */
export interface RefusedText {
  readonly text: string;
  readonly problem: string;
}

export interface RefusedTexts {
  readonly capacity: RefusedText | undefined;
  readonly conf: RefusedText | undefined;
}
const NONE_REFUSED: RefusedTexts = { capacity: undefined, conf: undefined };

export interface LinkOptions {
  /** The size of the device or the settings of the run are asked anew. */
  readonly onQuestion: () => void;
  /** The link names an example that it did not name before. */
  readonly onSample: (sample: NonNullable<DiagnoseView['sample']>) => void;
}

/**
 * Keeps what the page asks and where it stands in step with its part of the link. What cannot be used is refused in words,
 * in a link as in a field, and changes nothing.
 */
export class LinkController implements ReactiveController {
  view: DiagnoseView = DEFAULT_VIEW;
  /** Texts of the fields that cannot be used. */
  refused: RefusedTexts = NONE_REFUSED;
  readonly #state: SelectController<AppState>;
  readonly #services: ContextConsumer<typeof servicesContext, LitElement>;
  /** The text that was read or written last. */
  #text: string | undefined;

  constructor(
    private readonly host: LitElement,
    private readonly options: LinkOptions,
  ) {
    host.addController(this);
    this.#state = new SelectController(host, (all: AppState) => all);
    this.#services = new ContextConsumer(host, { context: servicesContext });
  }

  get services(): Services | undefined {
    return this.#services.value;
  }

  /** Takes over what the address bar says, when it says something new. */
  hostUpdate(): void {
    const text = this.#state.value.views[DIAGNOSE] ?? '';
    if (text === this.#text) return;
    this.#text = text;
    const { view, problems } = readDiagnoseView(text);
    this.refuse(problems);
    const before = this.view;
    // Settings are used when their reader has come and takes them.
    this.view = { ...view, conf: view.conf === undefined ? undefined : before.conf };
    this.refused = NONE_REFUSED;
    if (this.view.capacity !== before.capacity || this.view.conf !== before.conf) this.options.onQuestion();
    if (view.conf !== undefined && view.conf !== before.conf) void this.#takeConf(view.conf, text);
    if (view.sample !== undefined && view.sample !== before.sample) this.options.onSample(view.sample);
  }

  /** The page shows something else. */
  show(change: Partial<DiagnoseView>, how: 'push' | 'replace'): void {
    this.view = { ...this.view, ...change };
    this.#text = writeDiagnoseView(this.view);
    this.#services.value?.router.show(DIAGNOSE, this.#text, how);
    this.host.requestUpdate();
  }

  /** Says which parts of the link cannot be used. */
  refuse(problems: readonly LinkProblem[]): void {
    this.#services.value?.router.refuse(problems);
  }

  /** A size was written into the field. */
  askCapacity(text: string): void {
    const problem = capacityProblem(text);
    this.#answer('capacity', text, problem);
  }

  /** Settings were written into the field. */
  async askConf(text: string): Promise<void> {
    this.#answer('conf', text, await settingsProblem(text));
  }

  #answer(field: 'capacity' | 'conf', text: string, problem: string): void {
    this.refused = { ...this.refused, [field]: problem === '' ? undefined : { text, problem } };
    if (problem === '') {
      this.show({ [field]: text }, 'replace');
      this.options.onQuestion();
    } else this.host.requestUpdate();
  }

  async #takeConf(conf: string, text: string): Promise<void> {
    const problem = await settingsProblem(conf);
    // Another link was followed, or something else was shown meanwhile.
    if (this.#text !== text) return;
    if (problem !== '') {
      this.refuse([{ kind: 'unreadable', key: 'conf', value: conf }]);
      return;
    }
    this.view = { ...this.view, conf };
    this.options.onQuestion();
    this.host.requestUpdate();
  }
}
