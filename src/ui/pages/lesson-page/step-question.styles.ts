/** The text side of a step: question, answers, what happened, what to keep. */
import { css } from 'lit';

export const questionStyles = css`
  .ask {
    display: grid;
    gap: var(--space-4);
    align-content: start;
    min-block-size: 0;
    padding: var(--space-1);
    margin: calc(-1 * var(--space-1));
    overflow: auto;
  }
  .ask .question {
    font-size: 1.75rem;
    line-height: 2.25rem;
    letter-spacing: -0.01em;
    overflow-wrap: anywhere;
    text-wrap: balance;
  }
  .ask .question:lang(zh) {
    letter-spacing: 0;
  }
  .given,
  .happened,
  .hint-line,
  .answers button,
  .keep {
    font-size: 1.125rem;
    line-height: 1.75rem;
  }
  .given {
    color: var(--color-text-2);
  }
  .answers {
    display: grid;
    gap: var(--space-2);
  }
  .answers button {
    display: grid;
    grid-template-columns: auto 1fr auto;
    gap: var(--space-3);
    align-items: center;
    min-block-size: 3.25rem;
    padding: var(--space-2) var(--space-4);
    border-radius: var(--radius-3);
    line-height: 1.5rem;
    text-align: start;
    white-space: normal;
  }
  .answers .key {
    display: grid;
    place-items: center;
    inline-size: 1.875rem;
    block-size: 1.875rem;
    border: var(--border) solid var(--color-line-strong);
    border-radius: var(--radius-2);
    font-size: 1rem;
  }
  .answers [aria-checked='true'] {
    border-color: var(--color-ink);
    box-shadow: inset 0 0 0 var(--border) var(--color-ink);
  }
  .answers [aria-checked='true'] .key {
    border-color: var(--color-ink);
    background: var(--color-ink);
    color: var(--color-on-ink);
  }
  .answers .state {
    display: flex;
    gap: 0.375rem;
    align-items: center;
    font-size: 1rem;
    font-weight: var(--weight-medium);
  }
  .answers .right {
    border-color: var(--color-ok);
    background: var(--color-ok-soft);
    box-shadow: inset 0 0 0 var(--border) var(--color-ok);
  }
  .answers .right .state {
    color: var(--color-ok);
  }
  .answers .wrong .state {
    color: var(--color-bad);
  }
  .answers .faded {
    color: var(--color-text-3);
  }
  .answers .why {
    display: block;
    color: var(--color-text-2);
    font-size: 0.9375rem;
    line-height: 1.375rem;
  }
  .hint-line {
    color: var(--color-text-3);
  }
  .reveal {
    display: grid;
    gap: var(--space-3);
  }
  .happened,
  .given {
    overflow-wrap: anywhere;
    text-wrap: pretty;
  }
  .happened b {
    font-weight: var(--weight-strong);
    white-space: nowrap;
  }
  .keep {
    padding-inline-start: var(--space-3);
    border-inline-start: 0.25rem solid var(--color-ink);
    font-weight: var(--weight-medium);
  }
  .sets {
    color: var(--color-text-2);
  }
  .trouble {
    color: var(--color-bad);
  }
  .origins summary {
    min-block-size: var(--target-small);
    color: var(--color-text-2);
    line-height: var(--target-small);
    cursor: pointer;
  }
  .origins th,
  .origins td {
    padding: var(--space-1) var(--space-3) var(--space-1) 0;
    border-block-end: var(--border) solid var(--color-line);
    text-align: start;
    vertical-align: top;
  }
  .origins .number {
    text-align: end;
    white-space: nowrap;
  }
  :host([presenting]) .ask {
    gap: var(--space-2);
  }
  :host([presenting]) .ask .question {
    font-size: var(--font-size-3);
    line-height: var(--line-3);
  }
  :host([presenting]) :is(.given, .happened, .hint-line, .answers button, .keep) {
    font-size: var(--font-size-1);
    line-height: var(--line-1);
  }
  :host([presenting]) .answers button {
    min-block-size: 2.25rem;
    padding: var(--space-1) var(--space-3);
  }
  :host([presenting]) .answers .key {
    inline-size: 1.5rem;
    block-size: 1.5rem;
    font-size: var(--font-size-0);
  }
  :host([presenting]) :is(.answers .state, .answers .why) {
    font-size: var(--font-size-0);
    line-height: var(--line-0);
  }
  @media (max-width: 75rem) {
    :host(:not([presenting])) .ask {
      gap: var(--space-2);
    }
    :host(:not([presenting])) .ask .question {
      font-size: 1.25rem;
      line-height: 1.625rem;
    }
    :host(:not([presenting])) :is(.given, .happened, .hint-line, .answers button, .keep) {
      font-size: var(--font-size-2);
      line-height: 1.375rem;
    }
    :host(:not([presenting])) .answers button {
      min-block-size: 2.5rem;
      padding-block: var(--space-1);
    }
    :host(:not([presenting])) .answers .why {
      font-size: var(--font-size-1);
      line-height: var(--line-1);
    }
    :host([presenting]) .ask .question {
      font-size: var(--font-size-2);
      line-height: var(--line-2);
    }
    /* Room for what happened: the setting was read, and the guess stands beside the truth. */
    :host([presenting]) .ask.shown :is(.given, .faded) {
      display: none;
    }
  }
  @media (max-width: 50rem) {
    .ask {
      overflow: visible;
    }
  }
`;
