/** The GPU run under a scene. */
import { css } from 'lit';

export const deviceStyles = css`
  .device {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2) var(--space-3);
    align-items: center;
    min-block-size: 2.25rem;
  }
  .device > button {
    display: inline-flex;
    gap: var(--space-2);
    align-items: center;
    min-block-size: 2.25rem;
  }
  .came {
    flex: 1 1 100%;
  }
  .came:not(:has(li)) {
    display: none;
  }
  .came ul {
    max-block-size: 8rem;
    overflow: auto;
  }
  .came li {
    display: flex;
    gap: var(--space-2);
    align-items: start;
  }
  .came li svg {
    margin-block-start: 0.125rem;
  }
  .came .ok svg {
    color: var(--color-ok);
  }
  .came .bad {
    color: var(--color-bad);
  }
  .machine {
    color: var(--color-text-2);
  }
`;
