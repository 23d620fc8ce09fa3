import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template: minmax(0, 1fr) / var(--rail-width) minmax(0, 1fr);
    block-size: 100%;
    min-block-size: 0;
  }
  :host([hidden]) {
    display: none;
  }
  .rail {
    min-block-size: 0;
    overflow: clip auto;
    border-inline-end: var(--border) solid var(--color-line);
    background: var(--color-surface-low);
  }
  .stage {
    display: grid;
    grid-template-rows: auto auto minmax(0, 11fr) minmax(0, 9fr);
    min-inline-size: 0;
    min-block-size: 0;
    background: var(--color-surface);
  }
  .stage > app-bandwidth-chart {
    border-block-end: var(--border) solid var(--color-line);
  }
  .notices:not(:empty) {
    border-block-end: var(--border) solid var(--color-line);
  }
  .notice {
    display: flex;
    align-items: center;
    gap: var(--space-3);
    padding: var(--space-1) var(--space-4);
    background: var(--color-warn-soft);
    color: var(--color-warn);
  }
  .notice p {
    overflow-wrap: anywhere;
  }
  .notice button {
    margin-inline-start: auto;
    color: inherit;
  }
  .missing {
    grid-column: 1 / -1;
    display: grid;
    grid-template-rows: auto minmax(0, 1fr);
    overflow: auto;
    background: var(--color-surface);
  }
  @media (max-width: 75rem) {
    :host {
      grid-template: auto 1fr / minmax(0, 1fr);
      block-size: auto;
      min-block-size: 100%;
    }
    .rail {
      display: block;
      overflow: visible;
      border-inline-end: 0;
      border-block-end: var(--border) solid var(--color-line);
    }
    summary {
      display: flex;
      align-items: center;
      gap: var(--space-3);
      min-block-size: 2.5rem;
      padding-inline: var(--space-4);
      cursor: pointer;
    }
    summary svg {
      color: var(--color-text-3);
      transition: rotate var(--duration-1) var(--ease);
    }
    details[open] summary svg {
      rotate: 90deg;
    }
    summary:focus-visible {
      outline-offset: -0.25rem;
    }
    .summary {
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    .setup {
      display: grid;
      grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr));
      border-block-start: var(--border) solid var(--color-line);
    }
    .stage {
      grid-template-rows: auto auto 26rem minmax(20rem, auto);
    }
  }
`;
