import { html, nothing, type TemplateResult } from 'lit';
import { type AdapterBadge } from '../../app/adapter-state.js';
import { badgeWords } from '../../app/words.js';

/** The mark that follows every figure: what kind of adapter it comes from. Needs `controls` styles. */
export const adapterBadge = (badge: AdapterBadge): TemplateResult =>
  html`<span class="badge ${badge}">${badgeWords(badge)}</span>`;

/** The mark only where figures do not come from a GPU. */
export const softwareMark = (badge: AdapterBadge): TemplateResult | typeof nothing =>
  badge === 'software' ? adapterBadge(badge) : nothing;
