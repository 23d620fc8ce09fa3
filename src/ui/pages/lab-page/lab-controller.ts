import { ContextConsumer } from '@lit/context';
import { type LitElement, type ReactiveController } from 'lit';
import { LabModel } from '../../../app/lab/lab-model.js';
import { type LabPort } from '../../../app/lab/lab-port.js';
import { type Services, servicesContext } from '../../services.js';

export const LAB = 'lab';
/** While the playhead moves, the address follows it this often: browsers count what is written there. */
const WRITE_AFTER_MS = 300;

/** Keeps the Lab's state, its part of the link, and what other pages hand over in step. */
export class LabController implements ReactiveController {
  readonly model: LabModel;
  readonly #services: ContextConsumer<typeof servicesContext, LitElement>;
  #stop: (() => void) | undefined;
  /** The part of the link that this page wrote or read last. */
  #text: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isFollowing = false;

  constructor(
    private readonly host: LitElement,
    private readonly lab: LabPort,
  ) {
    this.model = new LabModel(lab);
    this.model.subscribe(() => host.requestUpdate());
    this.#services = new ContextConsumer(host, { context: servicesContext, callback: () => this.#start() });
    host.addController(this);
  }

  get services(): Services | undefined {
    return this.#services.value;
  }

  hostConnected(): void {
    this.#start();
  }

  hostDisconnected(): void {
    this.#stop?.();
    this.#stop = undefined;
    clearTimeout(this.#timer);
    this.model.stop();
    this.lab.dispose();
  }

  /** A step that a person takes and Back takes back. */
  step(work: () => void): void {
    work();
    this.#write('push');
  }

  /** The playhead moved: the address follows when it rests. */
  moved(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#write('replace'), WRITE_AFTER_MS);
  }

  #write(how: 'push' | 'replace'): void {
    clearTimeout(this.#timer);
    if (this.services === undefined) return;
    this.#text = this.model.text;
    this.services.router.show(LAB, this.#text, how);
  }

  #start(): void {
    const { services } = this;
    if (services === undefined || this.#stop !== undefined) return;
    this.#stop = services.store.subscribe(() => this.#follow(services));
    this.#follow(services);
  }

  /** Takes over what a link says, and then what another page hands over. */
  #follow({ store, router }: Services): void {
    if (this.#isFollowing) return; // what is written below comes back here
    this.#isFollowing = true;
    const { labRequest } = store.value;
    const text = store.value.views[LAB] ?? '';
    if (labRequest !== undefined) {
      store.update((state) => ({ ...state, labRequest: undefined }));
      this.model.bring(labRequest);
      this.#write('replace');
    } else if (text !== this.#text) {
      this.#text = text;
      router.refuse(this.model.follow(text));
    }
    this.#isFollowing = false;
    this.host.requestUpdate();
  }
}
