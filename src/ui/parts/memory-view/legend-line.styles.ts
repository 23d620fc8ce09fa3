import { css } from 'lit';
import { categoryFill, categoryRules } from '../../styles/category.styles.js';

const swatches = categoryRules(
  (name) => `
    .swatch.${name} {
      border-color: var(--category-${name}-edge);
    }`,
);

export const legendStyles = css`
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--space-3);
    padding: var(--space-1) var(--space-4);
    color: var(--color-text-2);
    font-size: var(--font-size-0);
    line-height: 1.375rem;
  }
  .legend li {
    display: inline-flex;
    gap: 0.375rem;
    align-items: center;
    white-space: nowrap;
  }
  .swatch {
    inline-size: 1.125rem;
    block-size: 1.125rem;
    border: var(--border) solid var(--color-free-edge);
    font-style: normal;
    font-size: 0.75rem;
    line-height: 1rem;
    text-align: center;
  }
  ${swatches} ${categoryFill('.swatch')}
  .swatch.free {
    background: repeating-linear-gradient(135deg, var(--color-hatch) 0 0.0625rem, var(--color-free) 0.0625rem 0.25rem);
  }
  .swatch.pin {
    border: 0.125rem solid var(--color-text);
    background: var(--category-activation);
  }
  .swatch.request {
    border: 0.125rem dashed var(--color-bad-mark);
  }
  @media (forced-colors: active) {
    .swatch {
      forced-color-adjust: none;
      background: Canvas;
      color: CanvasText;
    }
    .swatch.pin {
      border-color: Highlight;
    }
  }
`;
