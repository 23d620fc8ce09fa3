import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template-rows: auto minmax(0, 1fr);
    gap: var(--space-2);
    min-inline-size: 0;
    min-block-size: 0;
    padding: var(--space-3) var(--space-4);
  }
  tbody th {
    font-family: inherit;
    font-size: var(--font-size-1);
  }
  tbody tr > *,
  tfoot tr > * {
    vertical-align: top;
  }
  tfoot th,
  tfoot td {
    padding-block: 0.25rem;
    padding-inline-end: var(--space-3);
    font-weight: var(--weight-medium);
  }
  .formula {
    min-inline-size: 15rem;
    white-space: normal;
  }
  .formula code,
  .numbers,
  .reason {
    overflow-wrap: anywhere;
  }
  .numbers {
    display: block;
    color: var(--color-text-2);
    font-family: var(--font-mono);
    font-size: 0.92em;
  }
  .reason {
    color: var(--color-text-2);
  }
  .words {
    min-inline-size: 9rem;
    overflow-wrap: anywhere;
    white-space: normal;
    color: var(--color-text-2);
    font-size: var(--font-size-0);
    line-height: var(--line-0);
  }
  .growth {
    white-space: normal;
  }
  .symbols {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--space-4);
    padding-block: var(--space-2);
  }
  .symbols div {
    display: flex;
    gap: var(--space-1);
  }
`;
