import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    place-content: center;
    padding: var(--space-8) var(--space-4);
  }
  section {
    display: grid;
    gap: var(--space-3);
    inline-size: 40rem;
    max-inline-size: 100%;
  }
  h2 {
    font-size: var(--font-size-3);
    line-height: var(--line-3);
  }
  p,
  li {
    color: var(--color-text-2);
    text-wrap: pretty;
  }
  ul {
    display: grid;
    gap: var(--space-1);
    padding-inline-start: 1.1rem;
    list-style: disc;
  }
  code {
    overflow-wrap: anywhere;
  }
`;
