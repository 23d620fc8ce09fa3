import { css } from 'lit';

/** A pane of the rail: a head and what belongs to it, parted from the next by a hairline. */
export const block = css`
  :host {
    display: grid;
    gap: var(--space-2);
    align-content: start;
    padding: var(--space-3) var(--space-4);
    border-block-end: var(--border) solid var(--color-line);
  }
  header {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: var(--space-2);
  }
`;
