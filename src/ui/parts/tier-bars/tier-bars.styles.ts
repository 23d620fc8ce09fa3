import { css } from 'lit';

export const styles = css`
  .empty {
    padding-block: var(--space-4);
  }
`;
