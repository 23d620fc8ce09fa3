import { css } from 'lit';

export const styles = css`
  dialog {
    inline-size: 26rem;
    max-inline-size: calc(100% - 2 * var(--space-4));
    padding: var(--space-4);
    border: var(--border) solid var(--color-line-strong);
    border-radius: var(--radius-3);
    background: var(--color-overlay);
    box-shadow: var(--color-shadow);
    color: var(--color-text);
  }
  dialog::backdrop {
    background: color-mix(in srgb, var(--color-surface-low) 60%, transparent);
  }
  header {
    display: flex;
    justify-content: space-between;
    align-items: center;
  }
  dl {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: var(--space-1) var(--space-4);
    margin-block: var(--space-3);
    align-items: baseline;
  }
  kbd {
    display: inline-block;
    min-inline-size: 1.5rem;
    padding: 0 var(--space-1);
    border: var(--border) solid var(--color-line-strong);
    border-radius: var(--radius-1);
    font-family: var(--font-mono);
    font-size: 0.92em;
    text-align: center;
  }
  label {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    min-block-size: var(--target);
  }
  fieldset {
    margin: var(--space-3) 0;
    padding: 0;
    border: 0;
  }
  legend {
    padding: 0;
    font-weight: var(--weight-medium);
  }
  dt {
    white-space: nowrap;
  }
  input {
    margin: 0;
    accent-color: var(--color-ink);
  }
`;
