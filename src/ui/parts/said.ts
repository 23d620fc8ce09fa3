import { html, type TemplateResult } from 'lit';
import { modelWords } from '../../app/model-words.js';

/** A sentence of a model in the language of the lab; marked as English where it is known in no other. */
export function said(english: string): TemplateResult | string {
  const words = modelWords(english);
  return words === english ? html`<span lang="en">${english}</span>` : words;
}
