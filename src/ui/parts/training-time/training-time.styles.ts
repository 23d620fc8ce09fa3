import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    gap: var(--space-1);
    align-content: start;
    min-inline-size: 0;
    min-block-size: 0;
    overflow: auto;
    padding: var(--space-3) var(--space-4);
  }
  header {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    min-block-size: 1.5rem;
  }
  .fields {
    display: grid;
    grid-template-columns: repeat(4, minmax(0, 1fr));
    gap: var(--space-2);
  }
  .figure {
    grid-column: 2 / -1;
  }
  .field,
  .figure {
    display: grid;
    gap: 0.125rem;
    color: var(--color-text-2);
    font-size: var(--font-size-0);
    line-height: var(--line-0);
  }
  input,
  select {
    inline-size: 100%;
    min-inline-size: 0;
    min-block-size: var(--target);
    padding-inline: var(--space-2);
    border: var(--border) solid var(--color-line-strong);
    border-radius: var(--radius-2);
    background: var(--color-surface);
    color: var(--color-text);
    font-size: var(--font-size-1);
  }
  .refused input {
    border-color: var(--color-bad);
  }
  .problem {
    color: var(--color-bad);
  }
  .answer {
    font-weight: var(--weight-medium);
  }
  .sum {
    font-size: var(--font-size-0);
    line-height: var(--line-0);
    color: var(--color-text-2);
    overflow-wrap: anywhere;
  }
`;
