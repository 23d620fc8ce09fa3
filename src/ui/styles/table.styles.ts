import { css } from 'lit';

/** Tables of figures: a sticky head, hairlines, numbers at the end of their column. */
export const table = css`
  .scroll {
    min-block-size: 0;
    overflow: auto;
  }
  table {
    inline-size: 100%;
    border-collapse: collapse;
  }
  th {
    font-weight: var(--weight-regular);
    text-align: start;
  }
  thead th {
    position: sticky;
    inset-block-start: 0;
    z-index: 1;
    padding-inline-end: var(--space-3);
    border-block-end: var(--border) solid var(--color-line);
    background: var(--color-surface);
    color: var(--color-text-3);
    font-size: var(--font-size-0);
    line-height: 1.5rem;
    white-space: nowrap;
  }
  td,
  tbody th {
    padding-block: 0.1875rem;
    padding-inline-end: var(--space-3);
    border-block-end: var(--border) solid color-mix(in srgb, var(--color-line) 60%, transparent);
    white-space: nowrap;
  }
  tbody th {
    font-family: var(--font-mono);
    font-size: var(--font-size-0);
  }
  tbody tr:hover {
    background: var(--color-surface-low);
  }
  .number {
    text-align: end;
  }
`;
