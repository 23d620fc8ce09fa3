import { css } from 'lit';

export const styles = css`
  ul {
    display: grid;
    gap: 0.125rem;
    margin-inline: calc(-1 * var(--space-2));
  }
  li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    align-items: center;
    border-radius: var(--radius-2);
  }
  li:hover,
  li.current {
    background: var(--color-surface-high);
  }
  li.current {
    box-shadow: inset 0.125rem 0 0 var(--color-ink);
  }
  .show {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    gap: var(--space-2);
    align-items: center;
    padding: var(--space-1) 0 var(--space-1) var(--space-2);
    border: 0;
    background: none;
    text-align: start;
    white-space: normal;
  }
  .show svg {
    color: var(--color-text-3);
  }
  .name {
    display: grid;
    min-inline-size: 0;
  }
  b {
    overflow: hidden;
    font-weight: var(--weight-medium);
    line-height: var(--line-0);
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .tag {
    color: var(--color-text-2);
    font-size: var(--font-size-0);
    line-height: var(--line-0);
  }
  .tag.bad {
    color: var(--color-bad);
  }
  .close {
    inline-size: var(--target-small);
    min-block-size: var(--target-small);
  }
  .close svg {
    inline-size: 0.75rem;
    block-size: 0.75rem;
  }
  .compare {
    justify-self: start;
  }
  @media (forced-colors: active) {
    li.current {
      outline: 0.125rem solid Highlight;
    }
  }
`;
