/** What the colours, hatches and outlines of the maps mean. */
import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { CATEGORY_COUNT } from '../../../model/memory-map/memory-run.js';
import { CATEGORY, CATEGORY_NAMES } from '../../../model/trace/trace.js';
import { categoryLetter, categoryWord } from './view-words.js';

/** The legend of some categories. `hasMaps`: maps are on the page, and `hasRequest`, a failed request is on one. */
export function legendLine(categories: ReadonlySet<number>, hasMaps: boolean, hasRequest: boolean): TemplateResult {
  const order = [...Array(CATEGORY_COUNT).keys()].slice(1).concat(CATEGORY.unknown);
  return html`
    <ul class="legend" aria-label=${msg('Legend', { desc: 'memory map: list of what the colours mean' })}>
      ${order
        .filter((category) => categories.has(category))
        .map(
          (category) => html`
            <li>
              <i class=${`swatch ${CATEGORY_NAMES[category] ?? ''}`} aria-hidden="true">${categoryLetter(category)}</i>
              ${categoryWord(category)}
            </li>
          `,
        )}
      <li><i class="swatch free" aria-hidden="true"></i>${msg('free', { desc: 'legend of the memory map' })}</li>
      ${
        hasMaps
          ? html`<li>
              <i class="swatch pin" aria-hidden="true"></i>${msg('pins its segment', {
                desc: 'legend of the memory map',
              })}
            </li>`
          : nothing
      }
      ${
        hasMaps && hasRequest
          ? html`<li>
              <i class="swatch request" aria-hidden="true"></i>${msg('request', { desc: 'legend of the memory map' })}
            </li>`
          : nothing
      }
    </ul>
  `;
}
