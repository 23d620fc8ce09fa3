import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    gap: var(--space-1);
    min-inline-size: 0;
    padding: var(--space-3) var(--space-4);
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--space-3);
  }
  .verdict.fits {
    color: var(--color-ok);
  }
  .verdict.short {
    color: var(--color-bad);
  }
  .verdict.unknown {
    color: var(--color-text-2);
  }
  .bar {
    position: relative;
    block-size: 2rem;
  }
  .bar svg {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
  }
  .card {
    fill: var(--color-surface);
    stroke: var(--color-line-strong);
  }
  .part {
    stroke-width: 1;
  }
  .ink {
    font-size: var(--font-size-0);
    font-weight: var(--weight-medium);
    text-anchor: middle;
    dominant-baseline: central;
  }
  .part.parameter,
  i.parameter {
    fill: var(--category-parameter);
    background: var(--category-parameter);
    stroke: var(--category-parameter-edge);
    border-color: var(--category-parameter-edge);
  }
  .ink.parameter {
    fill: var(--category-parameter-ink);
  }
  .part.gradient,
  i.gradient {
    fill: var(--category-gradient);
    background: var(--category-gradient);
    stroke: var(--category-gradient-edge);
    border-color: var(--category-gradient-edge);
  }
  .ink.gradient {
    fill: var(--category-gradient-ink);
  }
  .part.optimizer,
  i.optimizer {
    fill: var(--category-optimizer);
    background: var(--category-optimizer);
    stroke: var(--category-optimizer-edge);
    border-color: var(--category-optimizer-edge);
  }
  .ink.optimizer {
    fill: var(--category-optimizer-ink);
  }
  .part.activation,
  i.activation {
    fill: var(--category-activation);
    background: var(--category-activation);
    stroke: var(--category-activation-edge);
    border-color: var(--category-activation-edge);
  }
  .ink.activation {
    fill: var(--category-activation-ink);
  }
  .part.temporary,
  i.temporary {
    fill: var(--category-temporary);
    background: var(--category-temporary);
    stroke: var(--category-temporary-edge);
    border-color: var(--category-temporary-edge);
  }
  .ink.temporary {
    fill: var(--category-temporary-ink);
  }
  .part.communication,
  i.communication {
    fill: var(--category-communication);
    background: var(--category-communication);
    stroke: var(--category-communication-edge);
    border-color: var(--category-communication-edge);
  }
  .ink.communication {
    fill: var(--category-communication-ink);
  }
  .part.unknown,
  i.unknown {
    fill: var(--category-unknown);
    background: var(--category-unknown);
    stroke: var(--category-unknown-edge);
    border-color: var(--category-unknown-edge);
  }
  .ink.unknown {
    fill: var(--category-unknown-ink);
  }
  .part.free {
    fill: url(#hatch);
    stroke: var(--color-free-edge);
  }
  .hatch {
    stroke: var(--color-hatch);
  }
  i.free {
    background: repeating-linear-gradient(135deg, var(--color-hatch) 0 0.0625rem, var(--color-free) 0.0625rem 0.25rem);
    border-color: var(--color-free-edge);
  }
  .halo {
    stroke: var(--color-surface);
    stroke-width: 6;
  }
  .limit {
    stroke: var(--color-text);
    stroke-width: 2;
    stroke-dasharray: 5 3;
  }
  .limit.short {
    stroke: var(--color-bad-mark);
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--space-3);
    color: var(--color-text-2);
    font-size: var(--font-size-0);
    line-height: 1.25rem;
  }
  .legend li {
    display: flex;
    align-items: center;
    gap: 0.25rem;
    white-space: nowrap;
  }
  .legend span {
    color: var(--color-text);
  }
  i {
    inline-size: 0.75rem;
    block-size: 0.75rem;
    border: var(--border) solid transparent;
    border-radius: var(--radius-1);
  }
`;
