import { css } from 'lit';
import { categoryFill } from '../../styles/category.styles.js';

export const styles = css`
  :host {
    display: grid;
    gap: var(--space-3);
    align-content: start;
    padding: var(--space-3) var(--space-4);
  }
  header {
    display: flex;
    align-items: baseline;
    justify-content: space-between;
    gap: var(--space-2);
  }
  h3 {
    margin: 0;
    font-size: var(--font-size-1);
    font-weight: var(--weight-strong);
  }
  .statement {
    font-size: var(--font-size-2);
    font-weight: var(--weight-medium);
    line-height: var(--line-2);
  }
  .bars {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: var(--space-1) var(--space-2);
    align-items: center;
    font-size: var(--font-size-0);
  }
  dt {
    color: var(--color-text-2);
  }
  dd {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(6rem, auto);
    gap: var(--space-2);
    align-items: center;
  }
  .figure {
    text-align: end;
    white-space: nowrap;
  }
  .short {
    color: var(--color-bad);
  }
  .bar {
    inline-size: 100%;
    block-size: 0.75rem;
    overflow: visible;
  }
  rect {
    fill: var(--color-surface);
    stroke: var(--color-free-edge);
    vector-effect: non-scaling-stroke;
  }
  rect.needed {
    fill: var(--color-bad-soft);
    stroke: var(--color-bad-mark);
    stroke-dasharray: 4 2;
  }
  .hatch {
    stroke: var(--color-hatch);
    stroke-width: 1;
  }
  rect[fill] {
    fill: url('#hatch');
    stroke: none;
  }
  .request {
    stroke: var(--color-bad-mark);
    stroke-width: 2;
    stroke-dasharray: 4 2;
    vector-effect: non-scaling-stroke;
  }
  .rest {
    display: grid;
    gap: var(--space-2);
    color: var(--color-text-2);
  }
  .rest h3 {
    margin-block-start: var(--space-2);
    color: var(--color-text);
  }
  ol {
    display: grid;
    gap: var(--space-2);
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li {
    display: grid;
    grid-template-columns: var(--target-small) minmax(0, 1fr) auto;
    gap: 0 var(--space-2);
    align-items: center;
    color: var(--color-text);
  }
  li .hint {
    grid-column: 2 / -1;
  }
  li code {
    overflow-wrap: anywhere;
  }
  .size {
    white-space: nowrap;
  }
  .mark {
    display: grid;
    place-items: center;
    inline-size: var(--target-small);
    min-block-size: var(--target-small);
    padding: 0;
    border: 0.125rem solid var(--color-text);
    border-radius: var(--radius-1);
    font-size: var(--font-size-0);
    font-weight: var(--weight-strong);
  }
  /* A number has the colour of its block, under the pointer too. */
  ${categoryFill('button.mark')}
  summary {
    min-block-size: var(--target-small);
    line-height: var(--target-small);
    cursor: pointer;
  }
  :host([presenting]) {
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    align-items: center;
  }
  :host([presenting]) header,
  :host([presenting]) .rest {
    display: none;
  }
  @media (forced-colors: active) {
    rect.needed,
    .request {
      stroke: Highlight;
    }
  }
`;
