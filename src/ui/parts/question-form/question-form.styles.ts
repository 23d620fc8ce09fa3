import { css } from 'lit';

export const styles = css`
  .fields {
    display: grid;
    gap: var(--space-2);
  }
`;
