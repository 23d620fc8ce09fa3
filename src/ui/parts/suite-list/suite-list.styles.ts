import { css } from 'lit';

export const styles = css`
  ul {
    display: grid;
    margin-inline: calc(-1 * var(--space-2));
  }
  label {
    display: grid;
    grid-template-columns: auto 1fr auto auto;
    gap: var(--space-2);
    align-items: center;
    min-block-size: 1.625rem;
    padding-inline: var(--space-2);
    border-radius: var(--radius-2);
    cursor: pointer;
  }
  label:hover {
    background: var(--color-surface-high);
  }
  input {
    inline-size: 0.9375rem;
    block-size: 0.9375rem;
    margin: 0;
    accent-color: var(--color-ink);
  }
  .problem {
    color: var(--color-bad);
  }
`;
