import { css } from 'lit';

/** A labelled text field or choice; one that cannot be used says why, under itself. */
export const field = css`
  .field {
    display: grid;
    gap: 0.125rem;
    color: var(--color-text-2);
    font-size: var(--font-size-0);
    line-height: var(--line-0);
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
  }
  .field input::placeholder {
    color: var(--color-text-3);
    opacity: 1;
  }
  .field input:disabled {
    border-color: var(--color-line);
    color: var(--color-text-3);
  }
  .field input[aria-invalid='true'] {
    border-color: var(--color-bad-mark);
    box-shadow: inset 0 0 0 var(--border) var(--color-bad-mark);
  }
  .problem {
    color: var(--color-bad);
  }
`;
