import { css, unsafeCSS } from 'lit';

/** Letters of the categories, as lesson files write them, and their tokens. */
const CATEGORIES = {
  P: 'parameter',
  G: 'gradient',
  O: 'optimizer',
  A: 'activation',
  T: 'temporary',
  C: 'communication',
} as const;
const categories = unsafeCSS(
  Object.entries(CATEGORIES)
    .map(
      ([letter, name]) => `
        rect.${letter} { fill: var(--category-${name}); stroke: var(--category-${name}-edge); }
        .swatch.${letter} {
          border-color: var(--category-${name}-edge);
          background: var(--category-${name});
          color: var(--category-${name}-ink);
        }`,
    )
    .join(''),
);

export const styles = css`
  :host {
    display: grid;
    align-content: start;
    gap: var(--space-4);
  }
  ul {
    display: grid;
    gap: var(--space-4);
  }
  li {
    display: grid;
    gap: var(--space-1);
  }
  .name {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 var(--space-3);
    color: var(--color-text-2);
  }
  .name b {
    color: var(--color-text);
    font-weight: var(--weight-strong);
    white-space: nowrap;
  }
  .parts {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--space-3);
  }
  .parts span {
    white-space: nowrap;
  }
  .bar {
    inline-size: 100%;
    block-size: 1.75rem;
    overflow: visible;
  }
  rect {
    fill: var(--series-1);
    stroke: var(--color-surface);
    stroke-width: 1;
    vector-effect: non-scaling-stroke;
  }
  ${categories}
  .swatch {
    display: inline-block;
    inline-size: 1.125rem;
    block-size: 1.125rem;
    border: var(--border) solid var(--color-free-edge);
    font-style: normal;
    font-size: 0.75rem;
    line-height: 1rem;
    text-align: center;
  }
  .limit {
    stroke: var(--color-text);
    stroke-width: 2;
    stroke-dasharray: 6 4;
    vector-effect: non-scaling-stroke;
  }
  .waiting {
    stroke: var(--color-line-strong);
    stroke-dasharray: 4 4;
    vector-effect: non-scaling-stroke;
    fill: none;
  }
`;
