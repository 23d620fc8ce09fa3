import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    min-inline-size: 0;
    min-block-size: 0;
    border-block-end: var(--border) solid var(--color-line);
    contain: layout paint;
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 var(--space-2);
  }
  .tools {
    display: flex;
    gap: var(--space-1);
    margin-inline-start: auto;
  }
  .said {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    align-self: start;
    gap: var(--space-2) var(--space-3);
    padding: var(--space-4);
    color: var(--color-text-2);
  }
`;
