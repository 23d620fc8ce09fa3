import { css, unsafeCSS } from 'lit';
import { UNDER_ENDS } from '../../../model/memory-map/paint/track-ends.js';
import { TRACK_MARGIN } from '../../../model/memory-map/paint/track-scale.js';

/** The slider lies on the plots, so that a press at a place is a press at its value. */
const plot = unsafeCSS(`${TRACK_MARGIN.left / 16}rem ${TRACK_MARGIN.right / 16}rem`);
const ends = unsafeCSS(`${(TRACK_MARGIN.left + TRACK_MARGIN.right) / 16}rem`);

const rem = (pixels: number) => unsafeCSS(`${pixels / 16}rem`);

export const trackStyles = css`
  .tracks {
    contain: strict;
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
  .tracks [data-name='ends'] {
    inset: 0 0 auto auto;
    inline-size: ${rem(TRACK_MARGIN.right)};
    block-size: calc(100% - ${rem(UNDER_ENDS)});
  }
  /* It moves with every frame: as a layer of its own it is only put elsewhere. */
  .playhead {
    position: absolute;
    inset-block: 0 ${rem(TRACK_MARGIN.bottom)};
    inset-inline-start: 0;
    inline-size: 0.125rem;
    background: var(--color-text);
    will-change: transform;
    pointer-events: none;
  }
  .playhead::before {
    position: absolute;
    inset-block-start: 0;
    inset-inline-start: -0.25rem;
    inline-size: 0.625rem;
    block-size: 0.4375rem;
    background: var(--color-text);
    clip-path: polygon(0 0, 100% 0, 100% 30%, 50% 100%, 0 30%);
    content: '';
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
  @media (forced-colors: active) {
    .playhead,
    .playhead::before {
      forced-color-adjust: none;
      background: CanvasText;
    }
  }
`;
