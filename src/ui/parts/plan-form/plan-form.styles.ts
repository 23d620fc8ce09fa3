import { css } from 'lit';

export const styles = css`
  :host {
    gap: var(--space-4);
    border-block-end: 0;
  }
  section {
    display: grid;
    gap: var(--space-2);
  }
  .fields {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: var(--space-2);
    align-items: start;
  }
  .field {
    display: grid;
    gap: 0.125rem;
    min-inline-size: 0;
    color: var(--color-text-2);
    font-size: var(--font-size-0);
    line-height: var(--line-0);
  }
  .field.refused,
  .field.wide {
    grid-column: 1 / -1;
  }
  .field input[type='text'],
  .field select {
    inline-size: 100%;
    min-inline-size: 0;
    min-block-size: var(--target);
    padding: 0 var(--space-2);
    border: var(--border) solid var(--color-line-strong);
    border-radius: var(--radius-2);
    background: var(--color-surface);
    color: var(--color-text);
    font-size: var(--font-size-1);
  }
  .field input[type='file'] {
    inline-size: 100%;
    min-inline-size: 0;
    min-block-size: var(--target-small);
    font-size: var(--font-size-0);
  }
  .field input::placeholder {
    color: var(--color-text-3);
    opacity: 1;
  }
  .field input[aria-invalid='true'] {
    border-color: var(--color-bad-mark);
    box-shadow: inset 0 0 0 var(--border) var(--color-bad-mark);
  }
  .slider {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 5rem;
    gap: var(--space-2);
    align-items: center;
  }
  .slider input[type='range'] {
    inline-size: 100%;
    min-inline-size: 0;
    block-size: var(--target-small);
    margin: 0;
    accent-color: var(--color-ink);
  }
  .switch {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    min-block-size: var(--target-small);
  }
  .switch input {
    inline-size: 1rem;
    block-size: 1rem;
    margin: 0;
    accent-color: var(--color-ink);
  }
  .problem {
    color: var(--color-bad);
    overflow-wrap: anywhere;
  }
`;
