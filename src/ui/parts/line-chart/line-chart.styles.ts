import { css } from 'lit';

export const styles = css`
  .trouble {
    padding-block: var(--space-1);
    color: var(--color-bad);
  }
`;
