import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
    gap: var(--space-4);
    min-inline-size: 0;
    padding: var(--space-4);
  }
  h2 {
    font-size: var(--font-size-3);
    line-height: var(--line-3);
  }
  h3 {
    margin: 0 0 var(--space-1);
    font-size: var(--font-size-1);
    line-height: var(--line-1);
    font-weight: var(--weight-strong);
  }
  .scroll {
    max-inline-size: 100%;
  }
  table {
    inline-size: auto;
    min-inline-size: min(40rem, 100%);
  }
  /* A C++ frame may be longer than any screen: the figures keep their place beside it. */
  tbody th {
    min-inline-size: 14rem;
    max-inline-size: 60rem;
    overflow-wrap: anywhere;
    white-space: normal;
  }
`;
