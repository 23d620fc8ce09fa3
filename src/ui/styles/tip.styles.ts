import { css } from 'lit';

/** Words that explain themselves on hover and focus (`TipController`). */
export const tip = css`
  .explained {
    cursor: help;
    text-decoration: underline dotted var(--color-line-strong);
    text-underline-offset: 0.2em;
  }
  button.explained {
    min-block-size: var(--target-small);
    padding: 0;
    border: 0;
    background: none;
  }
  .tip {
    position: fixed;
    inset: auto;
    max-inline-size: 22rem;
    margin: 0;
    padding: var(--space-2) var(--space-3);
    border: var(--border) solid var(--color-line-strong);
    border-radius: var(--radius-2);
    background: var(--color-overlay);
    box-shadow: var(--color-shadow);
    color: var(--color-text);
    font-size: var(--font-size-0);
    line-height: 1.4;
    white-space: normal;
  }
`;
