import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    gap: var(--space-1);
    min-inline-size: 0;
  }
  .line {
    display: flex;
    align-items: center;
    gap: var(--space-2);
  }
  .letter {
    display: grid;
    place-items: center;
    inline-size: 1.25rem;
    block-size: 1.25rem;
    background: var(--color-ink);
    color: var(--color-on-ink);
    font-size: var(--font-size-0);
    font-weight: var(--weight-strong);
  }
  h2 {
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .letter,
  .outcome {
    flex: none;
  }
  .outcome.refused {
    flex: 1;
    white-space: normal;
  }
  code {
    overflow: hidden;
    padding-inline-start: 1.75rem;
    color: var(--color-text-2);
    font-size: var(--font-size-0);
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .outcome {
    display: flex;
    align-items: center;
    gap: var(--space-1);
    margin-inline-start: auto;
  }
  .ok {
    color: var(--color-ok);
  }
  .bad {
    color: var(--color-bad);
  }
  :host-context([data-present]) code {
    display: none;
  }
`;
