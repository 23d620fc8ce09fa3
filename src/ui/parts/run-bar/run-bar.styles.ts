import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: var(--space-1) var(--space-4);
    align-items: center;
    min-block-size: 3.5rem;
    padding: var(--space-2) var(--space-4);
    border-block-end: var(--border) solid var(--color-line);
  }
  .line {
    display: flex;
    align-items: baseline;
    gap: var(--space-3);
    min-inline-size: 0;
    white-space: nowrap;
  }
  .line b {
    font-weight: var(--weight-strong);
  }
  .line .status {
    align-self: center;
  }
  .line code,
  .line .why {
    overflow: hidden;
    text-overflow: ellipsis;
    color: var(--color-text-2);
  }
  .line .why {
    white-space: normal;
  }
  .line .why.bad {
    color: var(--color-bad);
  }
  .left {
    margin-inline-start: auto;
    color: var(--color-text-2);
  }
  .actions {
    display: flex;
    gap: var(--space-2);
    grid-area: 1 / 2 / 3;
  }
  .progress {
    block-size: 0.375rem;
    border-radius: 0.1875rem;
    background: var(--color-surface-high);
    overflow: clip;
  }
  .progress svg {
    inline-size: 100%;
    block-size: 100%;
  }
  .clean {
    fill: var(--color-ink);
  }
  .flagged {
    fill: var(--color-warn);
  }
  .failed {
    fill: var(--color-bad-mark);
  }
  .skipped {
    fill: var(--color-line-strong);
  }
  @media (forced-colors: active) {
    .progress {
      border: var(--border) solid CanvasText;
    }
  }
  @media (max-width: 50rem) {
    .line {
      flex-wrap: wrap;
      row-gap: 0;
    }
  }
`;
