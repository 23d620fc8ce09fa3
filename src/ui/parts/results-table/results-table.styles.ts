import { css } from 'lit';

export const styles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-inline-size: 0;
    min-block-size: 0;
    padding: var(--space-3) var(--space-4) 0;
  }
  .head {
    display: flex;
    flex: none;
    align-items: center;
    gap: var(--space-2);
    min-block-size: 1.5rem;
  }
  .tools {
    display: flex;
    gap: 0.125rem;
    margin-inline-start: auto;
  }
  .scroll {
    flex: 1;
    margin-inline: calc(-1 * var(--space-4));
    padding-inline: var(--space-4);
    padding-block-end: var(--space-3);
  }
  .scroll:focus-visible {
    outline-offset: -0.125rem;
  }
  .value {
    padding-inline-end: var(--space-1);
    font-weight: var(--weight-medium);
  }
  .unit {
    color: var(--color-text-3);
    font-size: var(--font-size-0);
  }
  .unit .explained {
    text-decoration: none;
  }
  .none {
    color: var(--color-text-3);
    text-align: end;
  }
  .spread {
    inline-size: 5.5rem;
    block-size: 0.75rem;
  }
  .range {
    stroke: var(--color-line-strong);
    stroke-width: 1;
  }
  .interval {
    fill: var(--series-fill);
  }
  .median {
    fill: var(--color-text);
  }
  .empty {
    padding-block: var(--space-4);
  }
  .wrap {
    white-space: normal;
    text-align: start;
  }
  thead th:last-child,
  td:last-child {
    padding-inline-end: 0;
  }
`;
