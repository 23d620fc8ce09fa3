/** The page around a step: head, two columns, foot; what stays in presenter mode. */
import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template: auto auto minmax(0, 1fr) auto / minmax(0, 1fr);
    block-size: 100%;
    min-block-size: 0;
    background: var(--color-surface);
    position: relative;
  }
  :host([hidden]) {
    display: none;
  }
  .scrolls {
    grid-row: 2 / -1;
    min-block-size: 0;
    overflow: auto;
  }
  .waiting {
    grid-row: 2;
    padding: var(--space-8);
  }
  .head {
    grid-row: 2;
    display: grid;
    grid-template-columns: 1fr auto 1fr;
    gap: var(--space-3);
    align-items: center;
    padding: var(--space-3) var(--space-8);
    color: var(--color-text-2);
  }
  .course-name {
    min-inline-size: 0;
  }
  .tools {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-1) var(--space-2);
    align-items: center;
    justify-content: end;
  }
  .dots {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2);
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .dots button {
    display: grid;
    place-items: center;
    inline-size: 1.75rem;
    min-block-size: 1.75rem;
    padding: 0;
    border-radius: 50%;
    color: var(--color-text-2);
    font-size: var(--font-size-0);
  }
  .dots .done {
    border-color: transparent;
    background: var(--color-surface-high);
    color: var(--color-text);
  }
  .dots [aria-current] {
    border-color: var(--color-ink);
    background: var(--color-ink);
    color: var(--color-on-ink);
    font-weight: var(--weight-strong);
  }
  .body {
    grid-row: 3;
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    gap: var(--space-12);
    min-block-size: 0;
    padding: var(--space-2) var(--space-8) var(--space-3);
  }
  .stage {
    display: grid;
    grid-template-rows: minmax(0, 1fr) auto;
    gap: var(--space-3);
    min-inline-size: 0;
    min-block-size: 0;
  }
  .foot {
    grid-row: 4;
    display: flex;
    gap: var(--space-2);
    padding: var(--space-3) var(--space-8) var(--space-4);
    border-block-start: var(--border) solid var(--color-line);
  }
  .big {
    display: inline-flex;
    gap: var(--space-2);
    align-items: center;
    min-block-size: 2.75rem;
    padding-inline: var(--space-4);
    font-size: 1.0625rem;
  }
  .big.quietly {
    border-color: transparent;
    background: none;
    color: var(--color-text-2);
  }
  .big.primary {
    margin-inline-start: auto;
  }
  kbd {
    padding: 0 0.25rem;
    border: var(--border) solid var(--color-line-strong);
    border-radius: var(--radius-1);
    font-family: inherit;
    font-size: 0.875em;
  }
  .over {
    position: absolute;
    inset: var(--space-2);
    z-index: 2;
    display: grid;
    place-items: center;
    border: 0.125rem dashed var(--color-accent);
    border-radius: var(--radius-3);
    background: var(--color-accent-soft);
    font-size: var(--font-size-3);
    pointer-events: none;
  }
  :host([presenting]) .head {
    grid-template-columns: auto 1fr;
    padding: var(--space-2) var(--space-4);
  }
  :host([presenting]) .course-name,
  :host([presenting]) .aux,
  :host([presenting]) .origins,
  :host([presenting]) kbd {
    display: none;
  }
  :host([presenting]) .body {
    gap: var(--space-4);
    padding: 0 var(--space-4) var(--space-1);
  }
  :host([presenting]) .foot {
    padding: var(--space-2) var(--space-4);
  }
  :host([presenting]) .big {
    min-block-size: 2.2rem;
    font-size: var(--font-size-1);
  }
  @media (max-width: 75rem) {
    :host(:not([presenting])) .body {
      gap: var(--space-6);
      padding-inline: var(--space-4);
    }
    :host(:not([presenting])) :is(.head, .foot) {
      padding-inline: var(--space-4);
    }
  }
  @media (max-width: 50rem) {
    :host {
      grid-template-rows: auto auto auto auto;
      block-size: auto;
      min-block-size: 100%;
    }
    .body {
      grid-template: max-content max-content / minmax(0, 1fr);
      align-content: start;
    }
    .foot {
      position: sticky;
      inset-block-end: 0;
      z-index: 1;
      background: var(--color-surface);
    }
    .stage {
      grid-template-rows: 28rem auto;
    }
    .head {
      grid-template-columns: minmax(0, 1fr);
      padding-inline: var(--space-4);
    }
    :host([presenting]) .head {
      grid-template-columns: minmax(0, 1fr);
    }
    .tools {
      justify-content: start;
    }
    .body,
    .foot {
      padding-inline: var(--space-4);
    }
    .foot {
      flex-wrap: wrap;
    }
    :host([presenting]) .big {
      flex: 1 1 auto;
      justify-content: center;
      min-block-size: 1.75rem;
      padding-inline: var(--space-2);
    }
  }
`;
