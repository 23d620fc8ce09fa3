import { css, unsafeCSS } from 'lit';
import { TRACK_MARGIN } from '../../../model/memory-map/paint/track-painter.js';
import { categoryFill, categoryRules } from '../../styles/category.styles.js';

const swatches = categoryRules(
  (name) => `
    .swatch.${name} {
      border-color: var(--category-${name}-edge);
    }
    .fill-${name} {
      fill: var(--category-${name});
    }`,
);

/** The slider lies on the plots, so that a press at a place is a press at its value. */
const plot = unsafeCSS(`${TRACK_MARGIN.left / 16}rem ${TRACK_MARGIN.right / 16}rem`);
const ends = unsafeCSS(`${(TRACK_MARGIN.left + TRACK_MARGIN.right) / 16}rem`);

export const styles = css`
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
  .budget,
  .detail,
  .map,
  .tracks {
    contain: layout paint;
  }
  .map,
  .tracks {
    contain: strict;
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
    min-block-size: 8rem;
  }
  .map-row {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: var(--space-2);
    margin-block-start: var(--space-1);
  }
  .map {
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
  .detail {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-1) var(--space-2);
    align-items: center;
    min-block-size: 2.25rem;
    padding: 0 var(--space-4);
    border-block: var(--border) solid var(--color-line);
    background: var(--color-surface-low);
    color: var(--color-text-2);
    font-size: var(--font-size-0);
  }
  .detail [role='status'] {
    flex: 1 1 14rem;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .detail b {
    color: var(--color-text);
    font-weight: var(--weight-strong);
  }
  .tools {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-1);
    align-items: center;
  }
  .segmented {
    display: inline-flex;
  }
  .segmented button {
    min-block-size: var(--target-small);
    padding-inline: var(--space-2);
    font-size: var(--font-size-0);
  }
  .segmented button:not(:first-child) {
    margin-inline-start: -0.0625rem;
    border-start-start-radius: 0;
    border-end-start-radius: 0;
  }
  .segmented button:not(:last-child) {
    border-start-end-radius: 0;
    border-end-end-radius: 0;
  }
  .segmented [aria-pressed='true'] {
    background: var(--color-surface-high);
    box-shadow: inset 0 -0.125rem var(--color-ink);
    font-weight: var(--weight-medium);
  }
  input[type='search'],
  input.number,
  select {
    min-block-size: var(--target-small);
    padding: 0 var(--space-2);
    border: var(--border) solid var(--color-line-strong);
    border-radius: var(--radius-2);
    background: var(--color-surface);
    font-size: var(--font-size-0);
  }
  input[type='search'] {
    inline-size: 9rem;
  }
  input.number {
    inline-size: 6rem;
    text-align: end;
  }
  .transport {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-1);
    align-items: center;
    padding: var(--space-2) var(--space-4) 0;
  }
  .play {
    display: grid;
    place-items: center;
    inline-size: var(--target);
    padding: 0;
  }
  .field {
    display: inline-flex;
    gap: var(--space-2);
    align-items: center;
    margin-inline-start: var(--space-2);
    color: var(--color-text-2);
    font-size: var(--font-size-0);
  }
  .range {
    display: inline-flex;
    align-items: center;
  }
  .where {
    margin-inline: var(--space-3);
  }
  .where b {
    font-weight: var(--weight-medium);
  }
  .where b::first-letter {
    text-transform: uppercase;
  }
  .jump {
    margin-inline-start: auto;
  }
  .jump:enabled {
    color: var(--color-bad);
  }
  .tracks {
    position: relative;
    block-size: var(--memory-view-tracks, 11.25rem);
    margin: var(--space-1) var(--space-4) var(--space-2);
    touch-action: none;
    cursor: ew-resize;
  }
  :host([shows='tracks']) .tracks {
    flex: 1;
    block-size: auto;
    min-block-size: 6rem;
  }
  .tracks:focus-within {
    outline: var(--focus-width) solid var(--color-focus);
    outline-offset: 0.125rem;
  }
  .tracks input {
    position: absolute;
    inset-block: 0;
    inset-inline: ${plot};
    inline-size: calc(100% - ${ends});
    block-size: 100%;
    margin: 0;
    opacity: 0;
    pointer-events: none;
  }
  .slider {
    padding: var(--space-1) var(--space-4) var(--space-2);
  }
  .slider input {
    inline-size: 100%;
    block-size: 1.5rem;
    margin: 0;
    accent-color: var(--color-ink);
  }
  app-event-list {
    block-size: 12rem;
    border-block-start: var(--border) solid var(--color-line);
  }
  .events {
    display: grid;
    grid-auto-flow: column;
    grid-auto-columns: minmax(0, 1fr);
  }
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
    canvas,
    .bar,
    .swatch {
      forced-color-adjust: none;
    }
    .swatch {
      background: Canvas;
      color: CanvasText;
    }
    .bar .free {
      fill: GrayText;
    }
    .swatch.pin {
      border-color: Highlight;
    }
  }
`;
