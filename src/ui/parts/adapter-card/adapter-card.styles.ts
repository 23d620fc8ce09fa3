import { css } from 'lit';

export const styles = css`
  .lead {
    font-size: var(--font-size-2);
    line-height: 1.25rem;
    overflow-wrap: anywhere;
  }
  .masked {
    color: var(--color-text-3);
  }
  dl {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 0.125rem var(--space-3);
    font-size: var(--font-size-0);
    line-height: 1.125rem;
  }
  dt {
    color: var(--color-text-3);
  }
  dd {
    text-align: end;
    overflow-wrap: anywhere;
  }
`;
