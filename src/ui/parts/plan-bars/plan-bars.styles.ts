import { css } from 'lit';

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
  .P {
    fill: var(--category-parameter, var(--series-1));
  }
  .G {
    fill: var(--category-gradient, var(--series-3));
  }
  .O {
    fill: var(--category-optimizer, var(--series-3));
  }
  .A {
    fill: var(--category-activation, var(--series-2));
  }
  .T {
    fill: var(--category-temporary, var(--series-2));
  }
  .C {
    fill: var(--category-communication, var(--series-fill));
  }
  .left {
    fill: var(--color-surface-high);
    stroke: var(--color-free-edge);
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
