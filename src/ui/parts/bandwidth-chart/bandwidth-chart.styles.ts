import { css } from 'lit';

export const styles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-inline-size: 0;
    min-block-size: 0;
    padding: var(--space-3) var(--space-4);
  }
  figure {
    display: contents;
  }
  figcaption {
    display: flex;
    flex: none;
    align-items: center;
    gap: var(--space-2);
    min-block-size: 1.5rem;
  }
  figcaption h2 {
    white-space: nowrap;
  }
  figcaption .quiet {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .tools {
    display: flex;
    gap: 0.125rem;
    margin-inline-start: auto;
  }
  .trouble {
    padding-block: var(--space-1);
    color: var(--color-bad);
  }
  .plot {
    position: relative;
    flex: 1;
    min-block-size: 0;
  }
  .canvas {
    position: absolute;
    inset: 0;
  }
  .note {
    position: absolute;
    inset-inline-end: var(--space-6);
    inset-block-start: var(--note-top, 40%);
    max-inline-size: 22rem;
    padding: 0 var(--space-1);
    background: var(--color-surface);
    color: var(--color-text-2);
    font-size: var(--font-size-0);
    line-height: 1.125rem;
    text-align: end;
    pointer-events: none;
  }
  .empty {
    inset-inline: 3.5rem var(--space-6);
    max-inline-size: none;
    text-align: center;
  }
  .scroll {
    flex: 1;
  }
`;
