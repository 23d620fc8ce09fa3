import { css } from 'lit';

/** Native controls and small marks, the same in every element. */
export const controls = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  [hidden] {
    display: none !important;
  }
  h1,
  h2,
  p,
  ul,
  dl,
  dd,
  figure {
    margin: 0;
    padding: 0;
  }
  ul {
    list-style: none;
  }
  h2 {
    font-size: var(--font-size-1);
    line-height: var(--line-1);
    font-weight: var(--weight-strong);
  }
  svg {
    display: block;
    flex: none;
    inline-size: 1rem;
    block-size: 1rem;
  }
  code {
    font-family: var(--font-mono);
    font-size: 0.92em;
  }
  :focus-visible {
    outline: var(--focus-width) solid var(--color-focus);
    outline-offset: 0.125rem;
    border-radius: var(--radius-1);
  }
  button,
  select,
  input {
    font: inherit;
    color: inherit;
    font-variant-numeric: inherit;
  }
  button {
    min-block-size: var(--target);
    padding: 0 var(--space-3);
    border: var(--border) solid var(--color-line-strong);
    border-radius: var(--radius-2);
    background: var(--color-surface);
    white-space: nowrap;
    cursor: pointer;
    transition: background var(--duration-1) var(--ease);
  }
  button:hover {
    background: var(--color-surface-high);
  }
  button:active {
    background: var(--color-line);
  }
  button:disabled {
    color: var(--color-text-3);
    border-color: var(--color-line);
    cursor: default;
  }
  button.primary {
    background: var(--color-ink);
    border-color: var(--color-ink);
    color: var(--color-on-ink);
    font-weight: var(--weight-medium);
  }
  button.primary:hover:enabled {
    background: var(--color-ink-hover);
  }
  button.primary:disabled {
    background: var(--color-surface-high);
    border-color: var(--color-line);
    color: var(--color-text-3);
  }
  button.text {
    min-block-size: var(--target-small);
    min-inline-size: var(--target-small);
    padding: 0 var(--space-2);
    border-color: transparent;
    background: none;
    color: var(--color-text-2);
    font-size: var(--font-size-0);
  }
  button.text:hover {
    background: var(--color-surface-high);
    color: var(--color-text);
  }
  button.text[aria-pressed='true'] {
    background: var(--color-surface-high);
    color: var(--color-text);
    font-weight: var(--weight-medium);
  }
  button.icon {
    display: grid;
    place-items: center;
    inline-size: var(--target);
    padding: 0;
    border-color: transparent;
    background: none;
    color: var(--color-text-2);
  }
  button.icon:hover {
    background: var(--color-surface-high);
    color: var(--color-text);
  }
  .quiet {
    color: var(--color-text-3);
    font-size: var(--font-size-0);
    line-height: var(--line-0);
  }
  .hint {
    color: var(--color-text-2);
    font-size: var(--font-size-0);
    line-height: var(--line-0);
  }
  .badge {
    padding: 0 var(--space-2);
    border-radius: var(--radius-2);
    background: var(--color-surface-high);
    color: var(--color-text);
    font-size: var(--font-size-0);
    font-weight: var(--weight-medium);
    line-height: 1.25rem;
    white-space: nowrap;
  }
  .badge.hardware {
    background: var(--color-ok-soft);
    color: var(--color-ok);
  }
  .badge.software,
  .badge.none {
    background: var(--color-warn-soft);
    color: var(--color-warn);
  }
  .badge.lost {
    background: var(--color-bad-soft);
    color: var(--color-bad);
  }
  .status {
    display: inline-flex;
    gap: 0.25rem;
    align-items: center;
    font-size: var(--font-size-0);
    line-height: var(--line-0);
    white-space: nowrap;
    vertical-align: middle;
  }
  .status + .status {
    margin-inline-start: var(--space-2);
  }
  .status svg {
    inline-size: 0.875rem;
    block-size: 0.875rem;
  }
  .status.ok {
    color: var(--color-ok);
  }
  .status.warn {
    color: var(--color-warn);
  }
  .status.bad {
    color: var(--color-bad);
  }
  .status.skip {
    color: var(--color-text-3);
  }
  .unseen {
    position: absolute;
    inline-size: 0.0625rem;
    block-size: 0.0625rem;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (forced-colors: active) {
    .badge {
      border: var(--border) solid CanvasText;
    }
    [aria-pressed='true'] {
      outline: 0.125rem solid Highlight;
      outline-offset: -0.125rem;
    }
  }
`;
