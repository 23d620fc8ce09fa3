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
  :host([empty]) {
    grid-template-columns: minmax(0, 1fr);
    overflow: auto;
    background: var(--color-surface);
  }
  .first {
    display: grid;
    gap: var(--space-6);
    place-content: center;
    padding: var(--space-8) var(--space-4);
  }
  .first > * {
    inline-size: min(46rem, 100%);
    min-inline-size: 0;
  }
  .how {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    gap: var(--space-8);
  }
  .how section {
    display: grid;
    gap: var(--space-2);
    align-content: start;
    min-inline-size: 0;
  }
  pre {
    margin: 0;
    padding: var(--space-3);
    overflow: auto;
    border-radius: var(--radius-2);
    background: var(--color-surface-low);
    font-size: var(--font-size-0);
    line-height: 1.125rem;
  }
  .example {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: var(--space-2);
    align-items: center;
    inline-size: 100%;
    padding: var(--space-1) var(--space-2);
    border-color: transparent;
    background: none;
    text-align: start;
    white-space: normal;
  }
  .example svg {
    color: var(--color-text-3);
  }
  .example span {
    display: grid;
  }
  .example b {
    font-weight: var(--weight-medium);
    line-height: var(--line-0);
  }
  .side {
    display: contents;
  }
  .rail {
    min-block-size: 0;
    overflow: clip auto;
    border-inline-end: var(--border) solid var(--color-line);
    background: var(--color-surface-low);
  }
  .drop {
    padding: var(--space-3) var(--space-4);
    border-block-end: var(--border) solid var(--color-line);
  }
  /* The picture takes what the verdict and the tables leave; only tables and lists scroll. */
  .stage {
    display: grid;
    grid-template-rows: fit-content(46%) minmax(13rem, 1fr) minmax(11rem, 37%);
    grid-template-columns: minmax(0, 1fr);
    min-inline-size: 0;
    min-block-size: 0;
    overflow: clip;
    background: var(--color-surface);
  }
  /* A map has rows that need their height, with legend, details and playback under them: where that is too much, it scrolls. */
  .stage.maps {
    grid-template-rows: max-content minmax(23rem, 1fr) minmax(11rem, 27%);
    overflow: clip auto;
  }
  .stage.maps app-verdict-card {
    max-block-size: 40vh;
  }
  :host([presenting]) .stage.maps {
    grid-template-rows: max-content minmax(21rem, 1fr) minmax(11rem, 27%);
  }
  .stage.text,
  .stage.comparison {
    grid-template-rows: auto auto;
    align-content: start;
    overflow: auto;
  }
  .said {
    padding: var(--space-4);
    color: var(--color-text-2);
  }
  .two {
    display: grid;
    grid-template: minmax(0, 1fr) / minmax(0, 1.4fr) minmax(0, 1fr);
    min-block-size: 0;
  }
  /* A pane is laid out by itself: rows that come in move nothing beside them. */
  .pane {
    display: grid;
    grid-template: minmax(0, 1fr) / minmax(0, 1fr);
    min-inline-size: 0;
    min-block-size: 0;
    contain: strict;
  }
  .pane + .pane {
    border-inline-start: var(--border) solid var(--color-line);
  }
  .facts {
    padding: var(--space-4);
  }
  .facts table {
    inline-size: auto;
    min-inline-size: min(30rem, 100%);
  }
  @media (max-width: 75rem) {
    :host {
      position: relative;
      grid-template: auto minmax(0, 1fr) / minmax(0, 1fr);
    }
    .rail {
      overflow: visible;
      border-inline-end: 0;
      border-block-end: var(--border) solid var(--color-line);
    }
    .rail > details > summary {
      display: flex;
      align-items: center;
      gap: var(--space-3);
      min-block-size: 2.5rem;
      padding-inline: var(--space-4);
      cursor: pointer;
    }
    .rail > details > summary svg {
      color: var(--color-text-3);
      transition: rotate var(--duration-1) var(--ease);
    }
    .rail > details[open] > summary svg {
      rotate: 90deg;
    }
    .rail > details > summary:focus-visible {
      outline-offset: -0.25rem;
    }
    /* Opens over the stage, as a menu does. */
    .setup {
      position: absolute;
      inset-inline: 0;
      z-index: 2;
      display: grid;
      grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr));
      max-block-size: calc(100% - 2.5rem);
      overflow: auto;
      border-block: var(--border) solid var(--color-line);
      background: var(--color-surface-low);
      box-shadow: var(--color-shadow);
    }
    .summary {
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
  }
  /* Too small for all at once: the page scrolls. */
  @media (max-width: 56rem), (max-height: 40rem) {
    :host(:not([empty])) {
      grid-template-rows: auto 1fr;
      block-size: auto;
      min-block-size: 100%;
    }
    .stage,
    .stage.maps,
    :host([presenting]) .stage.maps {
      grid-template-rows: auto 24rem auto;
      overflow: visible;
    }
    .two {
      grid-template: auto / minmax(0, 1fr);
    }
    .pane {
      block-size: 22rem;
    }
    .pane + .pane {
      border-inline-start: 0;
      border-block-start: var(--border) solid var(--color-line);
    }
  }
  @media (max-width: 40rem) {
    .how {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  :host([presenting]) {
    grid-template: minmax(0, 1fr) / minmax(0, 1fr);
    block-size: 100%;
  }
  :host([presenting]) .rail {
    display: none;
  }
`;
