import { type CSSResult, unsafeCSS } from 'lit';
import { CATEGORY_NAMES } from '../../model/trace/trace.js';

/** One rule a category: `rule` gives its text from the name, which is that of its colours and its class. */
export const categoryRules = (rule: (name: string) => string): CSSResult =>
  unsafeCSS(CATEGORY_NAMES.map(rule).join('\n'));

/** Ground and ink of elements with the class of a category. */
export const categoryFill = (selector: string): CSSResult =>
  categoryRules(
    (name) => `${selector}.${name} {
      background: var(--category-${name});
      color: var(--category-${name}-ink);
    }`,
  );
