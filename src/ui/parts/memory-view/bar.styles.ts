import { css } from 'lit';

/** The lines of controls: details and tools under the maps, and the transport over the tracks. */
export const barStyles = css`
  .detail {
    contain: layout paint;
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-1) var(--space-2);
    align-items: center;
    min-block-size: 2.25rem;
    padding: 0 var(--space-4);
    border-block: var(--border) solid var(--color-line);
    background: var(--color-surface-low);
    color: var(--color-text-2);
    font-size: var(--font-size-0);
  }
  .detail [role='status'] {
    flex: 1 1 14rem;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .detail b {
    color: var(--color-text);
    font-weight: var(--weight-strong);
  }
  .tools {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-1);
    align-items: center;
  }
  .segmented {
    display: inline-flex;
  }
  .segmented button {
    min-block-size: var(--target-small);
    padding-inline: var(--space-2);
    font-size: var(--font-size-0);
  }
  .segmented button:not(:first-child) {
    margin-inline-start: -0.0625rem;
    border-start-start-radius: 0;
    border-end-start-radius: 0;
  }
  .segmented button:not(:last-child) {
    border-start-end-radius: 0;
    border-end-end-radius: 0;
  }
  .segmented [aria-pressed='true'] {
    background: var(--color-surface-high);
    box-shadow: inset 0 -0.125rem var(--color-ink);
    font-weight: var(--weight-medium);
  }
  input[type='search'],
  input.number,
  select {
    min-block-size: var(--target-small);
    padding: 0 var(--space-2);
    border: var(--border) solid var(--color-line-strong);
    border-radius: var(--radius-2);
    background: var(--color-surface);
    font-size: var(--font-size-0);
  }
  input[type='search'] {
    inline-size: 9rem;
  }
  input.number {
    inline-size: 6rem;
    text-align: end;
  }
  .transport {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-1);
    align-items: center;
    padding: var(--space-2) var(--space-4) 0;
  }
  .play {
    display: grid;
    place-items: center;
    inline-size: var(--target);
    padding: 0;
  }
  .field {
    display: inline-flex;
    gap: var(--space-2);
    align-items: center;
    margin-inline-start: var(--space-2);
    color: var(--color-text-2);
    font-size: var(--font-size-0);
  }
  .range {
    display: inline-flex;
    align-items: center;
  }
  .where {
    margin-inline: var(--space-3);
  }
  .where b {
    font-weight: var(--weight-medium);
  }
  .where b::first-letter {
    text-transform: uppercase;
  }
  .jump {
    margin-inline-start: auto;
  }
  .jump:enabled {
    color: var(--color-bad);
  }
`;
