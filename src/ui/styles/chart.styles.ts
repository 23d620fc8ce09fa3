import { css, unsafeCSS } from 'lit';
import { CHART_CSS } from '../../model/report/charts/shapes.js';

/** A chart's pane: title, tools and the drawing, in the looks that the HTML report has too. */
export const chart = css`
  ${unsafeCSS(CHART_CSS)}
  :host {
    display: flex;
    flex-direction: column;
    min-inline-size: 0;
    min-block-size: 0;
    padding: var(--space-3) var(--space-4);
  }
  figure {
    display: contents;
  }
  figcaption {
    display: flex;
    flex: none;
    align-items: center;
    gap: var(--space-2);
    min-block-size: 1.5rem;
  }
  figcaption h2 {
    white-space: nowrap;
  }
  /* Nobody points at a projector to read the rest of a line: it takes a second one. */
  figcaption .quiet {
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
  @media (max-width: 50rem) {
    figcaption {
      flex-wrap: wrap;
    }
  }
  .tools {
    display: flex;
    flex: none;
    gap: 0.125rem;
    margin-inline-start: auto;
  }
  .plot {
    position: relative;
    flex: 1;
    min-block-size: 0;
  }
  .plot svg {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
  }
  .scroll {
    flex: 1;
  }
`;
