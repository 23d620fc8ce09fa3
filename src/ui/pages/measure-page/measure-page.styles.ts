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
  .stage {
    display: grid;
    grid-template-rows: auto auto minmax(0, 11fr) minmax(0, 9fr) auto;
    min-inline-size: 0;
    min-block-size: 0;
    background: var(--color-surface);
  }
  .charts,
  .figures {
    display: grid;
    min-inline-size: 0;
    min-block-size: 0;
  }
  .charts {
    grid-template-columns: minmax(0, 3fr) minmax(0, 2fr);
    border-block-end: var(--border) solid var(--color-line);
  }
  .figures {
    grid-template-columns: minmax(0, 5fr) minmax(0, 11fr);
  }
  .charts > * + *,
  .figures > * + * {
    border-inline-start: var(--border) solid var(--color-line);
  }
  .missing {
    grid-column: 1 / -1;
    display: grid;
    grid-template-rows: auto minmax(0, 1fr);
    overflow: auto;
    background: var(--color-surface);
  }
  @media (max-width: 75rem) {
    :host {
      grid-template: auto 1fr / minmax(0, 1fr);
      block-size: auto;
      min-block-size: 100%;
    }
    .rail {
      display: block;
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
      transition: rotate var(--duration-1) var(--ease);
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
    .setup {
      display: grid;
      grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr));
      border-block-start: var(--border) solid var(--color-line);
    }
    .stage {
      grid-template-rows: auto auto 22rem minmax(20rem, auto) auto;
    }
  }
  @media (max-width: 64rem) {
    .stage {
      grid-template-rows: none;
    }
    .charts,
    .figures {
      grid-template-columns: minmax(0, 1fr);
    }
    .charts > * {
      block-size: 22rem;
    }
    app-side-pane {
      block-size: 24rem;
    }
    .charts > * + *,
    .figures > * + * {
      border-inline-start: 0;
      border-block-start: var(--border) solid var(--color-line);
    }
    .figures > app-results-table {
      max-block-size: 40rem;
    }
  }
  :host([presenting]) {
    grid-template: minmax(0, 1fr) / minmax(0, 1fr);
    block-size: 100%;
  }
  :host([presenting]) .rail,
  :host([presenting]) .figures {
    display: none;
  }
  :host([presenting]) .stage {
    grid-template-rows: auto auto minmax(0, 1fr) auto;
  }
`;
