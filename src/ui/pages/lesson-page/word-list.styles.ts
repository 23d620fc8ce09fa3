/** The glossary and the sayings. */
import { css } from 'lit';

export const wordStyles = css`
  .words table {
    font-size: var(--font-size-2);
    line-height: var(--line-2);
  }
  .words th,
  .words td {
    padding: var(--space-2) var(--space-3) var(--space-2) 0;
    border-block-end: var(--border) solid var(--color-line);
    text-align: start;
    vertical-align: top;
    white-space: normal;
  }
  .words th {
    inline-size: 14rem;
    font-family: inherit;
    font-size: inherit;
    font-weight: var(--weight-medium);
  }
  .other {
    display: block;
    color: var(--color-text-2);
    font-weight: var(--weight-regular);
  }
  .verdict {
    font-weight: var(--weight-medium);
    white-space: nowrap;
  }
  .verdict.true {
    color: var(--color-ok);
  }
  .verdict.half {
    color: var(--color-warn);
  }
  .verdict.wrong {
    color: var(--color-bad);
  }
  .steps {
    display: flex;
    flex-wrap: wrap;
  }
`;
