import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    grid-template-rows: auto auto minmax(0, 1fr);
    block-size: 100%;
  }
  main {
    min-block-size: 0;
    overflow: auto;
  }
  main > [hidden] {
    display: none;
  }
  .waiting {
    padding: var(--space-4);
    color: var(--color-text-2);
  }
  .waiting button {
    margin-block-start: var(--space-3);
  }
  main:focus-visible {
    outline-offset: -0.25rem;
  }
  .skip {
    position: absolute;
    inset-block-start: -10rem;
    z-index: 9;
    padding: var(--space-2);
    background: var(--color-surface);
    color: var(--color-text);
  }
  .skip:focus {
    inset: var(--space-2) auto auto var(--space-2);
  }
`;
