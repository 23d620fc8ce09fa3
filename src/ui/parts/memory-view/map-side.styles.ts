import { css } from 'lit';
import { categoryRules } from '../../styles/category.styles.js';

const fills = categoryRules(
  (name) => `
    .fill-${name} {
      fill: var(--category-${name});
    }`,
);

export const mapStyles = css`
  .side {
    display: flex;
    flex-direction: column;
    min-block-size: 0;
    padding: var(--space-2) var(--space-4);
  }
  .side + .side {
    border-inline-start: var(--border) solid var(--color-line);
  }
  /* Figures change with every frame: what is around them need not be laid out again. */
  .key,
  .budget {
    contain: layout paint;
  }
  .key {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--space-4);
    color: var(--color-text-2);
  }
  .key b {
    color: var(--color-text);
    font-weight: var(--weight-strong);
  }
  .budget {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: var(--space-2);
    align-items: center;
    color: var(--color-text-2);
  }
  .bar {
    inline-size: 100%;
    block-size: 0.75rem;
    border: var(--border) solid var(--color-line-strong);
    border-radius: var(--radius-1);
  }
  .bar .free {
    fill: var(--color-hatch);
    fill-opacity: 0.35;
  }
  .map-row,
  .side .scroll {
    flex: 1;
    min-block-size: var(--memory-view-map-least, 8rem);
  }
  .map-row {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: var(--space-2);
    margin-block-start: var(--space-1);
  }
  .map {
    contain: strict;
    position: relative;
    min-block-size: 0;
    touch-action: none;
    cursor: crosshair;
  }
  canvas {
    position: absolute;
    inset: 0;
    display: block;
    inline-size: 100%;
    block-size: 100%;
  }
  .strip {
    position: relative;
    inline-size: 2.5rem;
    cursor: pointer;
  }
  ${fills}
  .scroll {
    min-block-size: 0;
  }
  .segment th,
  .segment td {
    background: var(--color-surface-low);
    font-weight: var(--weight-medium);
  }
  .address {
    font-family: var(--font-mono);
  }
  .pages {
    display: flex;
    gap: var(--space-2);
    align-items: center;
    color: var(--color-text-2);
    font-size: var(--font-size-0);
  }
  .loading {
    position: absolute;
    inset: 0;
    display: grid;
    place-items: center;
    color: var(--color-text-3);
  }
  @media (forced-colors: active) {
    .bar {
      forced-color-adjust: none;
    }
    .bar .free {
      fill: GrayText;
    }
  }
`;
