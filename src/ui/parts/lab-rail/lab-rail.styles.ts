import { css } from 'lit';

export const styles = css`
  section {
    display: grid;
    gap: var(--space-2);
    padding: var(--space-3) var(--space-4);
    border-block-end: var(--border) solid var(--color-line);
  }
  .pairs {
    display: grid;
    gap: var(--space-1);
  }
  .pair,
  .flagship {
    display: grid;
    gap: 0;
    padding: var(--space-1) var(--space-3);
    border-color: var(--color-line);
    text-align: start;
    white-space: normal;
  }
  .flagship {
    border-color: var(--color-line-strong);
  }
  .pair b,
  .flagship b {
    font-weight: var(--weight-medium);
  }
  .pair[aria-pressed='true'] {
    border-color: var(--color-ink);
    box-shadow: inset 0.125rem 0 var(--color-ink);
  }
  .fields {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: var(--space-2);
    align-items: start;
  }
  .field {
    display: grid;
    gap: 0.125rem;
    color: var(--color-text-2);
    font-size: var(--font-size-0);
    line-height: var(--line-0);
    overflow-wrap: anywhere;
  }
  .field.refused {
    grid-column: 1 / -1;
  }
  .field input,
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
    text-overflow: ellipsis;
  }
  .field input::placeholder {
    color: var(--color-text-3);
    opacity: 1;
  }
  .field input[aria-invalid='true'] {
    border-color: var(--color-bad-mark);
    box-shadow: inset 0 0 0 var(--border) var(--color-bad-mark);
  }
  .problem {
    color: var(--color-bad);
  }
  details > .fields {
    margin-block-start: var(--space-2);
  }
  summary {
    min-block-size: var(--target-small);
    color: var(--color-text-2);
    font-size: var(--font-size-0);
    line-height: var(--target-small);
    cursor: pointer;
  }
  fieldset {
    display: grid;
    gap: var(--space-2);
    min-inline-size: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  legend {
    padding: 0;
    font-weight: var(--weight-strong);
  }
  .file {
    display: grid;
    place-items: center;
    position: relative;
    min-block-size: var(--target);
    border: var(--border) dashed var(--color-line-strong);
    border-radius: var(--radius-2);
    color: var(--color-text-2);
    font-size: var(--font-size-0);
    cursor: pointer;
  }
  .file:hover {
    background: var(--color-surface-high);
  }
  .file:focus-within {
    outline: var(--focus-width) solid var(--color-focus);
    outline-offset: 0.125rem;
  }
  .file input {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    opacity: 0;
    cursor: pointer;
  }
`;
