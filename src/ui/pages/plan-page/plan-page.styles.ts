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
  .sides {
    display: flex;
    flex-wrap: wrap;
    gap: 0.125rem;
    padding: var(--space-2) var(--space-3) 0;
  }
  .stage {
    display: grid;
    grid-template-rows: auto minmax(14rem, 2fr) minmax(0, 3fr);
    min-inline-size: 0;
    min-block-size: 0;
    background: var(--color-surface);
  }
  .bars {
    border-block-end: var(--border) solid var(--color-line);
  }
  .middle {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    min-block-size: 0;
    border-block-end: var(--border) solid var(--color-line);
  }
  .advice {
    display: grid;
    gap: var(--space-2);
    align-content: start;
    justify-items: start;
    min-block-size: 0;
    overflow: auto;
    padding: var(--space-3) var(--space-4);
    border-inline-start: var(--border) solid var(--color-line);
  }
  .sum {
    border-collapse: collapse;
  }
  .sum th {
    font-weight: var(--weight-regular);
    text-align: start;
  }
  .sum th,
  .sum td {
    padding: 0 var(--space-3) 0 0;
    white-space: nowrap;
  }
  .sum .number {
    text-align: end;
  }
  .sum tr:nth-last-child(2) > * {
    border-block-start: var(--border) solid var(--color-line);
  }
  .changes {
    display: grid;
    gap: var(--space-1);
  }
  .changes li {
    padding-inline-start: var(--space-2);
    border-inline-start: 0.125rem solid transparent;
  }
  .changes li.fits {
    border-inline-start-color: var(--color-ok);
    background: var(--color-ok-soft);
  }
  .changes .quiet {
    display: block;
  }
  .changes li.fits .quiet {
    color: var(--color-text-2);
  }
  .changes code {
    overflow-wrap: anywhere;
  }
  @media (max-width: 75rem) {
    :host {
      grid-template: auto 1fr / minmax(0, 1fr);
      block-size: auto;
      min-block-size: 100%;
    }
    .rail {
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
    .stage {
      grid-template-rows: auto 20rem minmax(20rem, auto);
    }
  }
  @media (max-width: 50rem) {
    .stage {
      grid-template-rows: none;
    }
    .middle {
      grid-template-columns: minmax(0, 1fr);
    }
    .middle app-batch-chart {
      block-size: 18rem;
    }
    .advice {
      border-inline-start: 0;
      border-block-start: var(--border) solid var(--color-line);
    }
  }
  :host([presenting]) {
    grid-template: minmax(0, 1fr) / minmax(0, 1fr);
    block-size: 100%;
  }
  :host([presenting]) .rail,
  :host([presenting]) app-term-table,
  :host([presenting]) .advice {
    display: none;
  }
  :host([presenting]) .stage {
    grid-template-rows: auto minmax(0, 1fr);
  }
  :host([presenting]) .middle {
    grid-template-columns: minmax(0, 1fr);
  }
`;
