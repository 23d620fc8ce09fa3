import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
    min-block-size: 0;
  }
  .list {
    position: relative;
    block-size: 100%;
    overflow-y: auto;
    overflow-x: hidden;
    outline-offset: -0.125rem;
  }
  .window {
    position: sticky;
    inset-block-start: 0;
    block-size: 0;
    overflow: visible;
  }
  .event {
    display: grid;
    grid-template-columns: 6rem minmax(0, 1fr);
    gap: var(--space-2);
    padding-inline: var(--space-2);
    font-size: var(--font-size-0);
    line-height: 1.5rem;
    white-space: nowrap;
    cursor: pointer;
  }
  .event > :last-child {
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .event:hover {
    background: var(--color-surface-high);
  }
  .event[aria-selected='true'] {
    background: var(--color-accent-soft);
    font-weight: var(--weight-medium);
  }
  .event.failure {
    color: var(--color-bad);
  }
  .at {
    color: var(--color-text-3);
    text-align: end;
  }
  @media (forced-colors: active) {
    .event[aria-selected='true'] {
      outline: 0.125rem solid Highlight;
      outline-offset: -0.125rem;
    }
  }
`;
