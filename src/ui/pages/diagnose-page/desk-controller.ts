import { msg } from '@lit/localize';
import { type LitElement, type ReactiveController } from 'lit';
import { cardOf } from '../../../app/diagnose/card-view.js';
import { type Desk, SAMPLE_NAMES } from '../../../app/diagnose/desk.js';
import { type DeskState, type ReadyFile, shownFile } from '../../../app/diagnose/desk-state.js';
import { labRequestOf } from '../../../app/diagnose/lab-request.js';
import { openInLab } from '../../../app/handover.js';
import { parseSize } from '../../../base/sizes.js';
import {
  type DiagnosisFormat,
  type FileAction,
  type QuestionChange,
  type SampleName,
  type SweepAction,
} from '../../parts/diagnose-events.js';
import { saveFile } from '../measure-page/save-file.js';
import { LinkController } from './link-controller.js';

/** The desk and the link of the page, and what a person does with them. */
export class DeskController implements ReactiveController {
  readonly link: LinkController;
  #stop: (() => void) | undefined;
  /** The file that was shown last. */
  #shown: number | undefined;

  constructor(
    private readonly host: LitElement,
    private readonly desk: Desk,
  ) {
    this.link = new LinkController(host, {
      onQuestion: () => this.#ask(),
      onSample: (sample) => void this.desk.openSample(sample),
    });
    host.addController(this);
  }

  get state(): DeskState {
    return this.desk.store.value;
  }

  /** The ready file on the stage; undefined while there is none, or a comparison is there. */
  get file(): ReadyFile | undefined {
    const file = shownFile(this.state);
    return file?.phase === 'ready' ? file : undefined;
  }

  /** Entry of the failure that is judged; undefined without one. */
  get failure(): number | undefined {
    const { file } = this;
    return file === undefined ? undefined : cardOf(file).event;
  }

  /** Where the playhead rests in a trace of `end` entries: where the link says, else the failure, else the end. */
  restAt(end: number): number {
    return Math.min(this.link.view.event ?? this.failure ?? end - 1, end - 1);
  }

  hostConnected(): void {
    this.#stop = this.desk.store.subscribe(() => this.#onDesk());
  }

  hostDisconnected(): void {
    this.#stop?.();
  }

  open(files: readonly File[]): void {
    void this.desk.open(
      files.map((file) => ({
        name: file.name,
        content: file,
        identity: `${file.name}/${file.size}/${file.lastModified}`,
      })),
    );
  }

  openText(text: string): void {
    const name = msg('pasted text', { desc: 'name of a text that was pasted' });
    void this.desk.open([{ name, content: new Blob([text]) }]);
  }

  openSample(sample: SampleName): void {
    this.link.show({ sample }, 'push');
    void this.desk.openSample(sample);
  }

  goTo(event: number | undefined): void {
    if (event !== undefined) this.link.show({ event }, 'push');
  }

  act(action: FileAction): void {
    if (action.do === 'compare') void this.desk.compare();
    else if (action.do === 'show') this.desk.show(action.id);
    else this.close(action.id);
  }

  /** Takes a file off the desk; a link names the example no longer when it is that. */
  close(id: number): void {
    const name = this.state.files.find((file) => file.id === id)?.name;
    const { sample } = this.link.view;
    this.desk.close(id);
    if (sample !== undefined && name === SAMPLE_NAMES[sample]) this.link.show({ sample: undefined }, 'replace');
    if (this.file === undefined) this.link.show({ event: undefined }, 'replace');
  }

  answer({ capacity, conf, device }: QuestionChange): void {
    const { file } = this;
    if (capacity !== undefined) this.link.askCapacity(capacity);
    if (conf !== undefined) void this.link.askConf(conf);
    if (device === undefined || file === undefined) return;
    this.link.show({ event: undefined }, 'replace');
    void this.desk.chooseDevice(file.id, device);
  }

  sweep(action: SweepAction): void {
    const { file } = this;
    if (file === undefined) return;
    if (action.do === 'stop') this.desk.stopAsking(file.id);
    else if (action.do === 'resume') this.desk.resumeAsking(file.id);
    else if (action.do === 'add') this.desk.addChange(file.id, action.conf, action.allocator);
    else if (action.do === 'remove') this.desk.removeChange(file.id, action.row);
    else this.#openInLab(file, action.row);
  }

  /** Saves the diagnosis that is shown; its file name, undefined without one. */
  async save(format: DiagnosisFormat): Promise<string | undefined> {
    const { file } = this;
    if (file === undefined) return undefined;
    const { exportDiagnosis } = await import('../../../app/diagnose/export-diagnosis.js');
    const { name, type, text } = exportDiagnosis(file, format, this.state.comparison);
    saveFile(name, new Blob([text], { type }));
    return name;
  }

  #openInLab(file: ReadyFile, row: number): void {
    const request = labRequestOf(file, row);
    const { services } = this.link;
    if (request !== undefined && services !== undefined) openInLab(services, request);
  }

  /** Asks the what-if tables again. */
  #ask(): void {
    const { capacity, conf } = this.link.view;
    this.desk.setQuestion({
      capacity: capacity.trim() === '' ? undefined : parseSize(capacity, 'capacity'),
      conf,
    });
  }

  #onDesk(): void {
    const { file } = this;
    const { event, sample } = this.link.view;
    const isOther = file !== undefined && this.#shown !== undefined && this.#shown !== file.id;
    if (file !== undefined) this.#shown = file.id;
    // A place is one of the trace that it was named for: that of the link, or of the file that was shown.
    const isNamed = sample !== undefined && file?.name === SAMPLE_NAMES[sample];
    const run = file?.snapshot?.run;
    if (isOther && !isNamed && event !== undefined) this.link.show({ event: undefined }, 'replace');
    else if (run?.phase === 'ready' && event !== undefined && event >= run.run.end) {
      this.link.refuse([{ kind: 'past-end', key: 'event', value: String(event), last: run.run.end - 1 }]);
      this.link.show({ event: undefined }, 'replace');
    }
    this.host.requestUpdate();
  }
}
