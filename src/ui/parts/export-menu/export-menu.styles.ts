import { css } from 'lit';

export const styles = css`
  :host {
    display: contents;
  }
  .open svg {
    display: inline-block;
    inline-size: 0.75rem;
    block-size: 0.75rem;
    margin-inline-start: var(--space-1);
    rotate: 90deg;
    vertical-align: -0.0625rem;
  }
  .menu {
    position: fixed;
    inset: auto var(--space-4) auto auto;
    inset-block-start: var(--menu-top, calc(var(--bar-height) + 3rem));
    inline-size: 17rem;
    max-block-size: calc(100% - var(--menu-top, 8rem) - var(--space-2));
    margin: 0;
    padding: var(--space-1);
    overflow: auto;
    border: var(--border) solid var(--color-line-strong);
    border-radius: var(--radius-3);
    background: var(--color-overlay);
    box-shadow: var(--color-shadow);
    color: var(--color-text);
  }
  .menu button {
    display: flex;
    justify-content: space-between;
    align-items: center;
    gap: var(--space-4);
    inline-size: 100%;
    border-color: transparent;
    background: none;
    text-align: start;
  }
  .menu button:hover {
    background: var(--color-surface-high);
  }
  .menu button span {
    color: var(--color-text-3);
    font-size: var(--font-size-0);
  }
  hr {
    margin: var(--space-1) 0;
    border: 0;
    border-block-start: var(--border) solid var(--color-line);
  }
`;
