import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
  }
  .zone {
    display: grid;
    gap: var(--space-2);
    justify-items: center;
    padding: var(--space-4) var(--space-3) var(--space-3);
    border: var(--border) dashed var(--color-line-strong);
    border-radius: var(--radius-3);
    background: var(--color-surface);
    color: var(--color-text-2);
    font-size: var(--font-size-0);
    line-height: var(--line-0);
    text-align: center;
  }
  .zone.over {
    border-color: var(--color-accent);
    background: var(--color-accent-soft);
  }
  .zone > svg {
    inline-size: 1.5rem;
    block-size: 1.5rem;
    color: var(--color-text-3);
  }
  .lead {
    color: var(--color-text);
    font-size: var(--font-size-1);
    line-height: var(--line-1);
    font-weight: var(--weight-strong);
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: var(--space-2);
  }
  .wide {
    gap: var(--space-3);
    padding: var(--space-12) var(--space-8) var(--space-8);
    font-size: var(--font-size-1);
    line-height: var(--line-1);
  }
  .wide > svg {
    inline-size: 2rem;
    block-size: 2rem;
  }
  .wide .lead {
    font-size: var(--font-size-3);
    line-height: var(--line-3);
  }
  .refused {
    justify-self: stretch;
    display: grid;
    gap: var(--space-1);
    padding: var(--space-2) var(--space-3);
    border-inline-start: 0.125rem solid var(--color-bad);
    background: var(--color-bad-soft);
    color: var(--color-bad);
    text-align: start;
    overflow-wrap: anywhere;
  }
  .reading {
    justify-self: stretch;
    display: grid;
    gap: var(--space-1);
  }
  progress {
    inline-size: 100%;
    block-size: 0.5rem;
    accent-color: var(--color-accent);
  }
  dialog {
    inline-size: min(44rem, calc(100vw - 2rem));
    padding: var(--space-4);
    border: var(--border) solid var(--color-line-strong);
    border-radius: var(--radius-3);
    background: var(--color-overlay);
    box-shadow: var(--color-shadow);
    color: var(--color-text);
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 0.4);
  }
  form {
    display: grid;
    gap: var(--space-3);
  }
  label {
    display: grid;
    gap: var(--space-2);
    font-weight: var(--weight-medium);
  }
  textarea {
    min-block-size: 14rem;
    padding: var(--space-2);
    border: var(--border) solid var(--color-line-strong);
    border-radius: var(--radius-2);
    background: var(--color-surface);
    color: inherit;
    font: var(--font-size-0) / 1.125rem var(--font-mono);
    resize: vertical;
  }
  form .row {
    justify-content: flex-end;
  }
  @media (forced-colors: active) {
    .zone.over {
      outline: 0.125rem solid Highlight;
    }
  }
`;
