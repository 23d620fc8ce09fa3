import { type LitElement, type ReactiveController } from 'lit';

const GAP = 6;

/**
 * Explanations on hover and on focus. An element that names a text by `aria-describedby` (the id of an element in the same
 * shadow root) shows it in the host's `.tip` popover. It can be hovered, stays until the pointer or the focus leaves, and
 * Escape closes it (WCAG 1.4.13).
 */
export class TipController implements ReactiveController {
  #shownFor: Element | undefined;

  constructor(private readonly host: LitElement) {
    host.addController(this);
  }

  hostConnected(): void {
    const { host } = this;
    host.addEventListener('pointerover', this.#onOver);
    host.addEventListener('pointerleave', this.#onLeave);
    host.addEventListener('focusin', this.#onOver);
    host.addEventListener('focusout', this.#onLeave);
    host.addEventListener('keydown', this.#onKey);
    addEventListener('scroll', this.#place, { capture: true, passive: true });
  }

  hostDisconnected(): void {
    const { host } = this;
    host.removeEventListener('pointerover', this.#onOver);
    host.removeEventListener('pointerleave', this.#onLeave);
    host.removeEventListener('focusin', this.#onOver);
    host.removeEventListener('focusout', this.#onLeave);
    host.removeEventListener('keydown', this.#onKey);
    removeEventListener('scroll', this.#place, { capture: true });
    this.#hide();
  }

  readonly #onOver = (event: Event): void => {
    const path = event.composedPath().filter((target) => target instanceof Element);
    if (path.some((element) => element.classList.contains('tip'))) return;
    const explained = path.find((element) => element.classList.contains('explained'));
    if (explained === undefined) this.#hide();
    else if (explained !== this.#shownFor) this.#show(explained);
  };

  readonly #onLeave = (): void => this.#hide();

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || this.#shownFor === undefined) return;
    event.stopPropagation();
    this.#hide();
  };

  get #tip(): HTMLElement | undefined {
    const tip = this.host.renderRoot.querySelector('.tip');
    return tip instanceof HTMLElement ? tip : undefined;
  }

  #show(explained: Element): void {
    const tip = this.#tip;
    const id = explained.getAttribute('aria-describedby') ?? '';
    const text = id === '' ? null : this.host.renderRoot.querySelector(`#${id}`);
    if (tip === undefined || text === null) return;
    tip.textContent = text.textContent;
    tip.showPopover();
    this.#shownFor = explained;
    this.#place();
  }

  /** Under its word, or above it where there is no room; it follows while things scroll. */
  readonly #place = (): void => {
    const tip = this.#tip;
    if (this.#shownFor === undefined || tip === undefined) return;
    const [at, size] = [this.#shownFor.getBoundingClientRect(), tip.getBoundingClientRect()];
    const hasRoomBelow = at.bottom + GAP + size.height <= innerHeight;
    tip.style.top = `${hasRoomBelow ? at.bottom + GAP : at.top - GAP - size.height}px`;
    tip.style.left = `${Math.max(GAP, Math.min(at.left, innerWidth - size.width - GAP))}px`;
  };

  #hide(): void {
    if (this.#shownFor === undefined) return;
    this.#shownFor = undefined;
    const tip = this.#tip;
    if (tip?.matches(':popover-open') === true) tip.hidePopover();
  }
}
