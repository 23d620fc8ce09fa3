/** What a machine can see of the texts on a page, through every shadow root. */
import { type Page } from 'playwright/test';

/**
 * Texts that are cut or run out of their box, as `element#id: text`. A cut that a person can undo is none: a box that
 * scrolls, or an ellipsis whose whole text is in a title or a label.
 */
export const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      element.getClientRects().length > 0;
    /** The box that holds a text in view: the nearest one around it that clips or scrolls, else the page. */
    const clipper = (element: Element): Element | undefined => {
      for (let at: Element | null = element; at !== null; at = parentOf(at)) {
        if (getComputedStyle(at).overflowX !== 'visible') return at;
      }
      return undefined;
    };
    const parentOf = (element: Element): Element | null => {
      if (element.assignedSlot !== null) return element.assignedSlot;
      if (element.parentElement !== null) return element.parentElement;
      const root = element.getRootNode();
      return root instanceof ShadowRoot ? root.host : null;
    };
    const isUnseen = (element: Element): boolean => {
      const { clipPath, position, inlineSize } = getComputedStyle(element);
      return clipPath !== 'none' || (position === 'absolute' && Number.parseFloat(inlineSize) <= 1);
    };
    const hasWhole = (element: Element): boolean => {
      for (let at: Element | null = element; at !== null; at = parentOf(at)) {
        if (at.hasAttribute('title') || at.hasAttribute('aria-label')) return true;
      }
      return false;
    };
    const report = (element: Element, text: string) => {
      const id = element.id === '' ? [...element.classList].map((name) => `.${name}`).join('') : `#${element.id}`;
      found.push(`${element.localName}${id}: ${text.slice(0, 60)}`);
    };
    const visit = (root: Document | ShadowRoot) => {
      for (const element of root.querySelectorAll('*')) {
        if (element.shadowRoot !== null) visit(element.shadowRoot);
        const text = [...element.childNodes]
          .filter((node) => node.nodeType === Node.TEXT_NODE)
          .map((node) => node.textContent ?? '')
          .join('')
          .trim();
        if (text === '' || !isShown(element) || isUnseen(element) || element.closest('svg, option') !== null) continue;
        const box = clipper(element);
        const range = document.createRange();
        range.selectNodeContents(element);
        const { left, right } = range.getBoundingClientRect();
        const own = element.getBoundingClientRect();
        if (box === element) {
          const { overflowX, textOverflow } = getComputedStyle(element);
          const isCut = element.scrollWidth > element.clientWidth + 1;
          if (isCut && overflowX === 'hidden' && !(textOverflow === 'ellipsis' && hasWhole(element)))
            report(element, text);
          continue;
        }
        if (getComputedStyle(element).display !== 'inline' && (right > own.right + 1 || left < own.left - 1)) {
          report(element, text);
          continue;
        }
        if (box === undefined) {
          if (right > document.documentElement.clientWidth + 1) report(element, text);
          continue;
        }
        const edge = box.getBoundingClientRect();
        const { overflowX, textOverflow } = getComputedStyle(box);
        const isClipped = overflowX === 'hidden' || overflowX === 'clip';
        if (
          isClipped &&
          (right > edge.right + 1 || left < edge.left - 1) &&
          !(textOverflow === 'ellipsis' && hasWhole(box))
        )
          report(element, text);
      }
    };
    visit(document);
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push('the page itself');
    return found;
  });

/**
 * What stays English in Chinese, each with a reason: adapters call themselves so; names stand one after the other, units after
 * figures; a glossary term stands beside its Chinese; a
 * program's tensors, the options of `vramlab plan` and settings of an allocator are names.
 */
const STAY_ENGLISH: readonly RegExp[] = [
  /google,? swiftshader|llvmpipe/gi,
  /[\w-]+(?:, [\w-]+)+/g,
  /\b[KMGT]iB\b/g,
  /\uff08[A-Za-z][A-Za-z -]*\uff09/g,
  /WebGPU \u4e2d\u53eb workgroup memory/g,
  /layers\.\d+\.\w+ exp_avg\w*/g,
  /bank = cat\(bank, features\), step \d+/g,
  /--[a-z0-9-]+(?:,? [a-z0-9]+)?/g,
];

/**
 * Texts with two English words in a row: what should have been translated. Code, what is marked as English and what stays
 * English for a reason are left out.
 */
export const englishTexts = (page: Page): Promise<string[]> =>
  page.evaluate(
    (stay) => {
      const names = stay.map(({ source, flags }) => new RegExp(source, flags));
      const found = new Set<string>();
      const visit = (root: Document | ShadowRoot) => {
        for (const element of root.querySelectorAll('*')) {
          if (element.shadowRoot !== null) visit(element.shadowRoot);
          if (element.closest('code, kbd, pre, [lang=en], script, style, noscript, .mono') !== null) continue;
          const own = [...element.childNodes]
            .filter((node) => node.nodeType === Node.TEXT_NODE)
            .map((node) => node.textContent ?? '');
          const told = ['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? '');
          for (const text of [...own, ...told]) {
            const left = names.reduce((rest, name) => rest.replace(name, ''), text);
            if (/[A-Za-z]{2,}[ ,]+[a-z]{2,}/.test(left)) found.add(text.trim().replace(/\s+/g, ' ').slice(0, 200));
          }
        }
      };
      visit(document);
      return [...found];
    },
    STAY_ENGLISH.map(({ source, flags }) => ({ source, flags })),
  );
