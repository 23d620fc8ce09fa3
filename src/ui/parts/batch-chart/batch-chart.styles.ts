import { css } from 'lit';

export const styles = css`
  svg .grid {
    stroke: var(--color-line);
  }
  svg .axis {
    stroke: var(--color-line-strong);
  }
  svg .tick,
  svg .label {
    fill: var(--color-text-3);
    font-size: var(--font-size-0);
  }
  svg .end {
    text-anchor: end;
    dominant-baseline: central;
  }
  svg .middle {
    text-anchor: middle;
  }
  svg .label {
    text-anchor: end;
    fill: var(--color-text-2);
    /* A halo: lines pass behind the words. */
    paint-order: stroke;
    stroke: var(--color-surface);
    stroke-width: 4;
  }
  svg path.reserved {
    fill: none;
    stroke: var(--series-1);
    stroke-width: 2;
  }
  svg path.allocated {
    fill: none;
    stroke: var(--series-2);
    stroke-width: 2;
    stroke-dasharray: 5 3;
  }
  svg circle.reserved {
    fill: var(--series-1);
  }
  svg rect.allocated {
    fill: var(--series-2);
  }
  svg .capacity {
    stroke: var(--color-text);
    stroke-width: 2;
    stroke-dasharray: 6 4;
  }
  svg .failure {
    stroke: var(--color-bad-mark);
  }
  svg .flag {
    fill: var(--color-bad-mark);
  }
  svg .planned {
    stroke: var(--color-text-3);
    stroke-dasharray: 2 3;
  }
  svg .cursor {
    stroke: var(--color-accent);
  }
`;
