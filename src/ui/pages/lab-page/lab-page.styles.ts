import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template: minmax(0, 1fr) / 15rem minmax(0, 1fr) 21rem;
    block-size: 100%;
    min-block-size: 0;
    position: relative;
  }
  .rail {
    display: grid;
    grid-template-rows: minmax(0, 1fr) auto;
    min-block-size: 0;
    border-inline-end: var(--border) solid var(--color-line);
    background: var(--color-surface-low);
  }
  .setup {
    min-block-size: 0;
    overflow: clip auto;
  }
  .run {
    display: grid;
    gap: var(--space-2);
    padding: var(--space-3) var(--space-4);
    border-block-start: var(--border) solid var(--color-line);
  }
  .stage {
    display: grid;
    grid-template-rows: auto auto minmax(0, 1fr);
    min-inline-size: 0;
    min-block-size: 0;
    background: var(--color-surface);
  }
  .heads {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
  .heads > * + * {
    border-inline-start: var(--border) solid var(--color-line);
  }
  .why {
    display: grid;
    grid-template-rows: minmax(0, 1fr) auto;
    min-block-size: 0;
    border-inline-start: var(--border) solid var(--color-line);
    background: var(--color-surface-low);
  }
  .why > * {
    min-block-size: 0;
    overflow: clip auto;
  }
  app-real-buffers {
    max-block-size: 50vh;
  }
  .empty {
    padding: var(--space-4);
    color: var(--color-text-2);
  }
  .drop {
    position: absolute;
    inset: 0;
    z-index: 5;
    display: grid;
    place-items: center;
    border: 0.125rem solid var(--color-accent);
    background: color-mix(in srgb, var(--color-accent-soft) 85%, transparent);
    font-size: var(--font-size-3);
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
  details[open] > summary svg {
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
  @media (max-width: 75rem) {
    :host {
      grid-template: auto auto auto / minmax(0, 1fr);
      block-size: auto;
      min-block-size: 100%;
    }
    .rail {
      display: block;
      border-inline-end: 0;
      border-block-end: var(--border) solid var(--color-line);
    }
    .setup app-lab-rail {
      display: grid;
      grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr));
    }
    .run {
      grid-template-columns: auto minmax(0, 1fr) auto;
      align-items: center;
    }
    .stage {
      grid-template-rows: auto auto minmax(36rem, 80vh);
    }
    .why {
      display: block;
      border-inline-start: 0;
      border-block-start: var(--border) solid var(--color-line);
    }
    app-real-buffers {
      max-block-size: none;
    }
  }
  @media (max-width: 50rem) {
    .run {
      grid-template-columns: minmax(0, 1fr);
    }
    .heads {
      grid-template-columns: minmax(0, 1fr);
    }
    .heads > * + * {
      border-inline-start: 0;
      border-block-start: var(--border) solid var(--color-line);
    }
    .stage {
      grid-template-rows: auto auto minmax(36rem, auto);
    }
  }
  :host([presenting]) {
    grid-template: minmax(0, 1fr) auto / minmax(0, 1fr);
    block-size: 100%;
  }
  :host([presenting]) .rail,
  :host([presenting]) app-real-buffers {
    display: none;
  }
  :host([presenting]) .stage {
    grid-template-rows: auto auto minmax(0, 1fr);
  }
  :host([presenting]) .why {
    display: block;
    border-inline-start: 0;
    border-block-start: var(--border) solid var(--color-line-strong);
  }
`;
