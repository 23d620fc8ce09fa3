/** Puts an element into the test page, with the tokens, and takes it away again after the test. */
import '../styles/tokens.css';
import { type LitElement } from 'lit';
import { onTestFinished } from 'vitest';

/** The element, its properties set and its first rendering done. */
export async function mount<T extends LitElement>(element: T, properties: Partial<T> = {}): Promise<T> {
  Object.assign(element, properties);
  document.body.append(element);
  onTestFinished(() => element.remove());
  await element.updateComplete;
  return element;
}

/** The visible text, with white space as one space. */
export const textOf = (element: Element | null | undefined): string =>
  (element instanceof HTMLElement ? (element.shadowRoot ?? element).textContent : (element?.textContent ?? ''))
    .replace(/\s+/g, ' ')
    .trim();

/** The one element a selector finds in the shadow root. Its absence fails the test. */
export function find<E extends Element>(host: LitElement, selector: string, kind: new () => E): E {
  const found = host.renderRoot.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`no ${kind.name} for ${selector} in ${host.localName}`);
}

/** The button with these words. */
export function button(host: LitElement, words: string): HTMLButtonElement {
  const found = [...host.renderRoot.querySelectorAll('button')].find(
    (each) => textOf(each) === words || each.ariaLabel === words,
  );
  if (found === undefined) throw new Error(`no button "${words}" in ${host.localName}`);
  return found;
}

/** Every event of a kind that the element sends until the test ends. */
export function collect<K extends keyof GlobalEventHandlersEventMap>(
  host: LitElement,
  name: K,
): readonly GlobalEventHandlersEventMap[K][] {
  const events: GlobalEventHandlersEventMap[K][] = [];
  host.addEventListener(name, (event) => events.push(event));
  return events;
}
