/** Lines of notice above a page, with a button that closes them. The box is a status region and stays when it is empty. */
import { msg } from '@lit/localize';
import { css, html, nothing, type TemplateResult } from 'lit';
import { icons } from '../styles/icons.js';

export const noticeStyles = css`
  .notices:not(:empty) {
    border-block-end: var(--border) solid var(--color-line);
  }
  .notice {
    display: flex;
    align-items: center;
    gap: var(--space-3);
    padding: var(--space-1) var(--space-4);
    background: var(--color-warn-soft);
    color: var(--color-warn);
  }
  .notice p {
    overflow-wrap: anywhere;
  }
  .notice button {
    margin-inline-start: auto;
    color: inherit;
  }
`;

export function notices(lines: readonly string[], onClosed: () => void): TemplateResult {
  return html`<div class="notices" role="status">${lines.length === 0 ? nothing : notice(lines, onClosed)}</div>`;
}

const notice = (lines: readonly string[], onClosed: () => void): TemplateResult => html`
  <div class="notice">
    <div>${lines.map((line) => html`<p>${line}</p>`)}</div>
    <button class="icon" aria-label=${msg('Close the notice', { desc: 'button' })} @click=${onClosed}>
      ${icons.close}
    </button>
  </div>
`;

/** One line that a newer version of the lab waits, with the button that takes it; '' while there is none. */
export const updateNotice = (isOutdated: boolean, onTaken: () => void): TemplateResult => html`
  <div class="notices" role="status">
    ${
      isOutdated
        ? html`<div class="notice">
            <p>
              ${msg('A newer version of the lab is here. Loading it ends a run that is under way.', {
                desc: 'notice above the page',
              })}
            </p>
            <button class="text" @click=${onTaken}>
              ${msg('Load it', { desc: 'button: takes the newer version' })}
            </button>
          </div>`
        : nothing
    }
  </div>
`;
