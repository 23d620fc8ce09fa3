import { css } from 'lit';

export const styles = css`
  fieldset {
    display: flex;
    margin: 0;
    padding: 0;
    border: var(--border) solid var(--color-line-strong);
    border-radius: var(--radius-2);
    overflow: clip;
  }
  .preset {
    flex: 1;
    display: grid;
    position: relative;
  }
  .preset input {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
    margin: 0;
    opacity: 0;
    cursor: pointer;
  }
  .preset span {
    display: grid;
    place-items: center;
    min-block-size: calc(var(--target) - 2 * var(--border));
    background: var(--color-surface);
    color: var(--color-text-2);
  }
  .preset + .preset span {
    border-inline-start: var(--border) solid var(--color-line);
  }
  .preset:hover span {
    background: var(--color-surface-high);
  }
  .preset input:checked + span {
    background: var(--color-surface-high);
    box-shadow: inset 0 -0.125rem 0 var(--color-ink);
    color: var(--color-text);
    font-weight: var(--weight-medium);
  }
  .preset input:focus-visible + span {
    outline: var(--focus-width) solid var(--color-focus);
    outline-offset: -0.1875rem;
  }
  .preset input:disabled + span {
    color: var(--color-text-3);
  }
  .fields {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: var(--space-2);
    align-items: start;
  }
  @media (forced-colors: active) {
    .preset input:checked + span {
      outline: 0.125rem solid Highlight;
      outline-offset: -0.125rem;
    }
  }
`;
