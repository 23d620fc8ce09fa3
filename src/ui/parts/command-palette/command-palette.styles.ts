import { css } from 'lit';

export const styles = css`
  dialog {
    inset-block: 12vh auto;
    inline-size: 32rem;
    max-inline-size: calc(100% - 2 * var(--space-4));
    max-block-size: 70vh;
    padding: 0;
    border: var(--border) solid var(--color-line-strong);
    border-radius: var(--radius-3);
    background: var(--color-overlay);
    box-shadow: var(--color-shadow);
    color: var(--color-text);
  }
  dialog[open] {
    display: grid;
    grid-template-rows: auto minmax(0, 1fr);
  }
  dialog::backdrop {
    background: color-mix(in srgb, var(--color-surface-low) 60%, transparent);
  }
  input {
    inline-size: 100%;
    min-block-size: 2.75rem;
    padding-inline: var(--space-4);
    border: 0;
    border-block-end: var(--border) solid var(--color-line);
    border-radius: 0;
    background: none;
    font-size: var(--font-size-2);
  }
  input:focus-visible {
    outline-offset: -0.25rem;
  }
  ul {
    overflow: auto;
    padding: var(--space-1);
  }
  li {
    display: flex;
    justify-content: space-between;
    align-items: center;
    gap: var(--space-4);
    min-block-size: var(--target);
    padding: var(--space-1) var(--space-3);
    border-radius: var(--radius-2);
    cursor: pointer;
  }
  li:hover {
    background: var(--color-surface-low);
  }
  li[aria-selected='true'] {
    background: var(--color-surface-high);
    box-shadow: inset 0.125rem 0 var(--color-ink);
  }
  kbd {
    padding: 0 var(--space-1);
    border: var(--border) solid var(--color-line-strong);
    border-radius: var(--radius-1);
    font-family: var(--font-mono);
    font-size: 0.92em;
    white-space: nowrap;
  }
  .none {
    padding: var(--space-3) var(--space-4);
    color: var(--color-text-2);
  }
  @media (forced-colors: active) {
    li[aria-selected='true'] {
      outline: 0.125rem solid Highlight;
      outline-offset: -0.125rem;
    }
  }
`;
