import { css } from 'lit';
import { barStyles } from './bar.styles.js';
import { legendStyles } from './legend-line.styles.js';
import { mapStyles } from './map-side.styles.js';
import { trackStyles } from './track-side.styles.js';

const layout = css`
  :host {
    display: grid;
    grid-template-rows: minmax(0, 1fr) auto auto auto auto auto;
    min-block-size: 0;
    min-inline-size: 0;
    background: var(--color-surface);
    color: var(--color-text);
  }
  :host([shows='tracks']) {
    display: flex;
    flex-direction: column;
  }
  :host([shows='tracks']) > * {
    flex: none;
  }
  .keys {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0 var(--space-4);
    padding-inline: var(--space-4);
  }
  .keys .legend {
    padding: 0;
  }
  .sides {
    display: grid;
    grid-auto-flow: column;
    grid-auto-columns: minmax(0, 1fr);
    min-block-size: 0;
  }
  :host([presenting]) .side {
    padding-inline: var(--space-3);
  }
  :host([presenting]) .detail,
  :host([presenting]) .keys .key {
    display: none;
  }
  @media (max-width: 75rem) {
    /* The values stand behind the plot too. */
    .keys .key {
      display: none;
    }
  }
  @media (max-width: 50rem) {
    /* One under the other, each as high as it needs: the page scrolls. */
    :host(:not([presenting])) {
      grid-template-rows: minmax(min-content, 1fr) auto auto auto auto auto;
      min-block-size: min-content;
    }
    :host(:not([presenting])) .sides {
      grid-auto-flow: row;
      grid-auto-columns: auto;
    }
    :host(:not([presenting])) .sides,
    :host(:not([presenting])) .side {
      min-block-size: min-content;
    }
    :host(:not([presenting])) .map-row {
      min-block-size: 14rem;
    }
    .side + .side {
      border-inline-start: 0;
      border-block-start: var(--border) solid var(--color-line);
    }
  }
  @media (forced-colors: active) {
    canvas {
      forced-color-adjust: none;
    }
  }
`;

export const styles = [mapStyles, legendStyles, barStyles, trackStyles, layout];
