import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    gap: var(--space-2);
    align-content: start;
    padding: var(--space-3) var(--space-4);
    border-block-start: var(--border) solid var(--color-line);
  }
  header {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: var(--space-2);
  }
  table {
    inline-size: 100%;
    border-collapse: collapse;
    font-size: var(--font-size-0);
    line-height: var(--line-1);
  }
  th {
    padding: 0;
    white-space: nowrap;
    font-weight: var(--weight-regular);
    text-align: start;
  }
  thead th,
  td {
    padding: 0 0 0 var(--space-2);
    color: var(--color-text);
    text-align: end;
  }
  tbody th {
    color: var(--color-text-2);
  }
  thead tr {
    border-block-end: var(--border) solid var(--color-line);
  }
`;
