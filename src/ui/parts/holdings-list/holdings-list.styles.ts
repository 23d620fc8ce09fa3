import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template-rows: auto minmax(0, 1fr);
    min-inline-size: 0;
    min-block-size: 0;
    padding: var(--space-3) var(--space-4);
  }
  header {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: var(--space-2);
  }
  .tools {
    display: flex;
    gap: var(--space-1);
    margin-inline-start: auto;
  }
  .scroll {
    min-block-size: 0;
    overflow: auto;
  }
  .head,
  summary {
    display: grid;
    grid-template-columns: 0.875rem minmax(4.5rem, 1fr) 4.5rem 3.5rem 4.5rem;
    gap: var(--space-2);
    align-items: center;
    min-block-size: 1.625rem;
    padding-inline: var(--space-2);
    list-style: none;
  }
  .head {
    position: sticky;
    inset-block-start: 0;
    border-block-end: var(--border) solid var(--color-line);
    background: var(--color-surface);
    color: var(--color-text-3);
    font-size: var(--font-size-0);
  }
  details {
    border-block-end: var(--border) solid color-mix(in srgb, var(--color-line) 60%, transparent);
  }
  summary {
    cursor: pointer;
  }
  summary::-webkit-details-marker {
    display: none;
  }
  summary:hover {
    background: var(--color-surface-low);
  }
  summary svg {
    inline-size: 0.875rem;
    block-size: 0.875rem;
    color: var(--color-text-3);
    transition: rotate var(--duration-1) var(--ease);
  }
  details[open] summary svg {
    rotate: 90deg;
  }
  summary:focus-visible {
    outline-offset: -0.125rem;
  }
  .site {
    overflow: hidden;
    font-family: var(--font-mono);
    font-size: var(--font-size-0);
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .number {
    text-align: end;
  }
  .more {
    display: grid;
    gap: var(--space-1);
    padding: 0 var(--space-2) var(--space-2) calc(var(--space-4) + 0.875rem);
    color: var(--color-text-2);
    font-size: var(--font-size-0);
    line-height: 1.125rem;
  }
  .frames {
    display: grid;
    margin: 0;
    padding: 0;
    font-family: var(--font-mono);
    list-style: none;
    overflow-wrap: anywhere;
  }
  .frames :first-child {
    color: var(--color-text);
  }
  .frees {
    display: grid;
    gap: var(--space-1);
    padding: var(--space-2);
    border-block-end: var(--border) solid var(--color-line);
    font-size: var(--font-size-0);
    line-height: var(--line-0);
  }
  .frees b {
    font-weight: var(--weight-medium);
  }
  .frees code {
    overflow-wrap: anywhere;
  }
`;
