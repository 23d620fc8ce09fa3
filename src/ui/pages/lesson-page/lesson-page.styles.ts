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
  .notice {
    display: flex;
    gap: var(--space-3);
    align-items: center;
    padding: var(--space-1) var(--space-4);
    background: var(--color-warn-soft);
    color: var(--color-warn);
  }
  .notice p {
    overflow-wrap: anywhere;
  }
  .notice button {
    flex: none;
    margin-inline-start: auto;
    color: inherit;
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

  /* the list of lessons */
  .course {
    display: grid;
    gap: var(--space-4);
    max-inline-size: 60rem;
    margin-inline: auto;
    padding: var(--space-2) var(--space-8) var(--space-12);
  }
  .course header {
    display: grid;
    gap: var(--space-1);
    justify-items: start;
  }
  .course h2 {
    font-size: var(--font-size-3);
    line-height: var(--line-3);
  }
  .course header h2 {
    font-size: 1.75rem;
    line-height: 2.25rem;
    text-wrap: balance;
  }
  .lead {
    color: var(--color-text-2);
    font-size: var(--font-size-2);
    line-height: var(--line-2);
  }
  .lessons {
    display: grid;
    margin: 0;
    padding: 0;
    border-block-start: var(--border) solid var(--color-line);
    list-style: none;
  }
  .lessons li {
    border-block-end: var(--border) solid var(--color-line);
  }
  .lessons a,
  .lessons .own {
    display: grid;
    grid-template-columns: 2rem minmax(0, 1fr) auto;
    gap: 0 var(--space-3);
    align-items: baseline;
    inline-size: 100%;
    padding: var(--space-3) var(--space-2);
    border: 0;
    border-radius: 0;
    color: inherit;
    text-align: start;
    text-decoration: none;
    white-space: normal;
  }
  .lessons .own {
    grid-template-columns: minmax(0, 1fr);
  }
  .lessons a:hover {
    background: var(--color-surface-high);
  }
  .number {
    color: var(--color-text-3);
    text-align: end;
  }
  .title {
    font-size: var(--font-size-3);
    font-weight: var(--weight-medium);
    line-height: var(--line-3);
  }
  .goal {
    grid-column: 2 / -1;
    color: var(--color-text-2);
    font-size: var(--font-size-2);
    line-height: var(--line-2);
  }
  .own .goal {
    grid-column: 1;
  }
  .time {
    display: flex;
    gap: var(--space-2);
    align-items: baseline;
    color: var(--color-text-2);
    white-space: nowrap;
  }
  .time .mark {
    padding: 0 var(--space-2);
    border-radius: var(--radius-2);
    background: var(--color-surface-high);
    color: var(--color-text);
    font-size: var(--font-size-0);
    line-height: 1.25rem;
  }
  .others {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-3);
    align-items: center;
  }
  .file {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2);
    align-items: center;
  }
  .words table {
    font-size: var(--font-size-2);
    line-height: var(--line-2);
  }
  .words th,
  .words td {
    padding: var(--space-2) var(--space-3) var(--space-2) 0;
    border-block-end: var(--border) solid var(--color-line);
    text-align: start;
    vertical-align: top;
    white-space: normal;
  }
  .words th {
    inline-size: 14rem;
    font-family: inherit;
    font-size: inherit;
    font-weight: var(--weight-medium);
  }
  .other {
    display: block;
    color: var(--color-text-2);
    font-weight: var(--weight-regular);
  }
  .verdict {
    font-weight: var(--weight-medium);
    white-space: nowrap;
  }
  .verdict.true {
    color: var(--color-ok);
  }
  .verdict.half {
    color: var(--color-warn);
  }
  .verdict.wrong {
    color: var(--color-bad);
  }
  .steps {
    display: flex;
    flex-wrap: wrap;
  }

  /* a step */
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
  .stage {
    display: grid;
    grid-template-rows: minmax(0, 1fr) auto;
    gap: var(--space-3);
    min-inline-size: 0;
    min-block-size: 0;
  }
  .device {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2) var(--space-3);
    align-items: center;
    min-block-size: 2.25rem;
  }
  .device > button {
    display: inline-flex;
    gap: var(--space-2);
    align-items: center;
    min-block-size: 2.25rem;
  }
  .came {
    flex: 1 1 100%;
  }
  .came:not(:has(li)) {
    display: none;
  }
  .came ul {
    max-block-size: 8rem;
    overflow: auto;
  }
  .came li {
    display: flex;
    gap: var(--space-2);
    align-items: start;
  }
  .came li svg {
    margin-block-start: 0.125rem;
  }
  .came .ok svg {
    color: var(--color-ok);
  }
  .came .bad {
    color: var(--color-bad);
  }
  .machine {
    color: var(--color-text-2);
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

  /* presenter mode: larger root, only what carries the point */
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
    :host {
      grid-template-rows: auto auto auto auto;
      block-size: auto;
      min-block-size: 100%;
    }
    .body {
      grid-template: max-content max-content / minmax(0, 1fr);
      align-content: start;
    }
    .ask {
      overflow: visible;
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
    .lessons a {
      grid-template-columns: 1.5rem minmax(0, 1fr);
    }
    .time {
      grid-column: 2;
    }
  }
`;
