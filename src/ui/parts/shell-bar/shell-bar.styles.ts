import { css } from 'lit';

export const styles = css`
  :host {
    display: flex;
    align-items: center;
    min-block-size: var(--bar-height);
    padding-inline: var(--space-4);
    border-block-end: var(--border) solid var(--color-line);
    background: var(--color-surface);
  }
  a {
    color: inherit;
    text-decoration: none;
  }
  .mark {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    inline-size: 16rem;
    min-block-size: var(--target);
    font-size: var(--font-size-2);
    font-weight: var(--weight-strong);
  }
  .mark svg {
    inline-size: 1.25rem;
  }
  nav {
    display: flex;
    align-self: stretch;
    gap: var(--space-1);
  }
  nav a {
    display: grid;
    place-items: center;
    padding-inline: var(--space-3);
    border-block: 0.125rem solid transparent;
    color: var(--color-text-2);
  }
  nav a:hover {
    background: var(--color-surface-low);
    color: var(--color-text);
  }
  nav a[aria-current] {
    border-block-end-color: var(--color-ink);
    color: var(--color-text);
    font-weight: var(--weight-medium);
  }
  nav a:focus-visible {
    outline-offset: -0.25rem;
  }
  .end {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    margin-inline-start: auto;
  }
  .adapter {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    margin-inline-end: var(--space-2);
    color: var(--color-text-2);
    font-size: var(--font-size-0);
    white-space: nowrap;
  }
  .segmented {
    display: inline-flex;
  }
  .segmented button {
    padding-inline: var(--space-2);
    border-radius: 0;
  }
  .segmented button + button {
    margin-inline-start: calc(-1 * var(--border));
  }
  .segmented button:first-child {
    border-start-start-radius: var(--radius-2);
    border-end-start-radius: var(--radius-2);
  }
  .segmented button:last-child {
    border-start-end-radius: var(--radius-2);
    border-end-end-radius: var(--radius-2);
  }
  .segmented [aria-pressed='true'] {
    background: var(--color-surface-high);
    box-shadow: inset 0 -0.125rem var(--color-ink);
  }
  .menu {
    position: fixed;
    inset: calc(var(--bar-height) + 0.125rem) var(--space-4) auto auto;
    inline-size: 12rem;
    margin: 0;
    padding: var(--space-1);
    border: var(--border) solid var(--color-line-strong);
    border-radius: var(--radius-3);
    background: var(--color-overlay);
    box-shadow: var(--color-shadow);
    color: var(--color-text);
  }
  fieldset {
    margin: 0;
    padding: 0;
    border: 0;
  }
  .menu label {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    min-block-size: var(--target);
    padding-inline: var(--space-2);
    border-radius: var(--radius-2);
    cursor: pointer;
  }
  .menu button {
    inline-size: 100%;
    border-block-start: var(--border) solid var(--color-line);
    border-radius: 0;
    text-align: start;
  }
  .menu label:hover {
    background: var(--color-surface-high);
  }
  input {
    margin: 0;
    accent-color: var(--color-ink);
  }
  @media (max-width: 75rem) {
    .mark {
      inline-size: auto;
      margin-inline-end: var(--space-4);
    }
    .name,
    .short span {
      display: none;
    }
    nav {
      gap: 0;
    }
    nav a {
      padding-inline: var(--space-2);
    }
  }
  /* Larger type at 200 % leaves no room for one line. */
  @media (max-width: 60rem) {
    :host {
      flex-wrap: wrap;
    }
    nav {
      flex-wrap: wrap;
      min-inline-size: 0;
    }
  }
  @media (max-width: 30rem) {
    nav {
      order: 3;
      flex-basis: 100%;
      min-inline-size: 0;
      overflow-x: auto;
      min-block-size: 2.5rem;
    }
  }
`;
