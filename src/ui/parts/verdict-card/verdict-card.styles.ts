import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template: minmax(0, auto) / minmax(0, 1fr) 30rem;
    min-block-size: 0;
    border-block-end: var(--border) solid var(--color-line);
  }
  .verdict {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--space-2);
    align-content: start;
    padding: var(--space-3) var(--space-4);
    overflow: auto;
  }
  .kind {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2);
    align-items: center;
    font-weight: var(--weight-medium);
  }
  .kind.bad {
    color: var(--color-bad);
  }
  .kind.ok {
    color: var(--color-ok);
  }
  .kind .tools {
    margin-inline-start: auto;
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-1);
  }
  h2 {
    max-inline-size: 52rem;
    font-size: var(--font-size-3);
    line-height: var(--line-3);
  }
  .line {
    display: block;
    text-wrap: pretty;
  }
  .line + .line {
    margin-block-start: var(--space-1);
    font-size: var(--font-size-2);
    line-height: var(--line-2);
  }
  .say {
    max-inline-size: 48rem;
    color: var(--color-text-2);
    text-wrap: pretty;
  }
  .fidelity {
    display: flex;
    gap: var(--space-2);
    align-items: flex-start;
    color: var(--color-text-2);
    font-size: var(--font-size-0);
    line-height: var(--line-0);
  }
  .fidelity svg {
    color: var(--color-ok);
  }
  .fidelity.estimate svg {
    color: var(--color-warn);
  }
  details {
    color: var(--color-text-2);
    font-size: var(--font-size-0);
    line-height: var(--line-0);
  }
  summary {
    min-block-size: var(--target-small);
    line-height: var(--target-small);
    cursor: pointer;
  }
  ol,
  ul {
    display: grid;
    gap: var(--space-1);
    margin: 0;
    padding-inline-start: var(--space-6);
    overflow-wrap: anywhere;
  }
  /* The steps bring their numbers, as the command line prints them. */
  ol {
    padding-inline-start: 0;
    list-style: none;
  }
  .advice {
    list-style: disc;
  }
  .columns {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-start;
    gap: 0 var(--space-6);
  }
  .columns .fidelity {
    align-items: center;
    min-block-size: var(--target-small);
  }
  .columns details[open] {
    flex-basis: 100%;
  }
  .sums {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr));
    gap: var(--space-4);
    align-content: start;
    align-items: start;
    padding: var(--space-4) var(--space-4) var(--space-4) var(--space-6);
    overflow: auto;
    border-inline-start: var(--border) solid var(--color-line);
  }
  table {
    inline-size: 100%;
    border-collapse: collapse;
  }
  caption {
    padding-block-end: var(--space-1);
    font-weight: var(--weight-strong);
    text-align: start;
  }
  caption .quiet {
    font-weight: var(--weight-regular);
  }
  th {
    color: var(--color-text-2);
    font-weight: var(--weight-regular);
    text-align: start;
  }
  td {
    text-align: end;
    white-space: nowrap;
  }
  th,
  td {
    padding-block: 0.0625rem;
    font-size: var(--font-size-0);
    line-height: 1.25rem;
  }
  .sign {
    margin-inline-end: var(--space-1);
    color: var(--color-text-3);
  }
  .result th,
  .result td {
    border-block-start: var(--border) solid var(--color-text);
    color: var(--color-text);
    font-weight: var(--weight-medium);
  }
  @media (max-width: 75rem) {
    :host {
      grid-template-columns: minmax(0, 1fr) 22rem;
    }
    .sums {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
      padding-inline-start: var(--space-4);
    }
  }
  @media (max-width: 56rem) {
    :host {
      grid-template: auto / minmax(0, 1fr);
    }
    .sums {
      border-inline-start: 0;
      border-block-start: var(--border) solid var(--color-line);
    }
  }
`;
