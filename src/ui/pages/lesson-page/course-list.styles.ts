/** The list of lessons. */
import { css } from 'lit';

export const courseStyles = css`
  .course {
    display: grid;
    gap: var(--space-4);
    max-inline-size: 60rem;
    margin-inline: auto;
    padding: var(--space-2) var(--space-8) var(--space-12);
  }
  .course header {
    display: grid;
    gap: var(--space-1);
    justify-items: start;
  }
  .course h2 {
    font-size: var(--font-size-3);
    line-height: var(--line-3);
  }
  .course header h2 {
    font-size: 1.75rem;
    line-height: 2.25rem;
    text-wrap: balance;
  }
  .lead {
    color: var(--color-text-2);
    font-size: var(--font-size-2);
    line-height: var(--line-2);
  }
  .lessons {
    display: grid;
    margin: 0;
    padding: 0;
    border-block-start: var(--border) solid var(--color-line);
    list-style: none;
  }
  .lessons li {
    border-block-end: var(--border) solid var(--color-line);
  }
  .lessons a,
  .lessons .own {
    display: grid;
    grid-template-columns: 2rem minmax(0, 1fr) auto;
    gap: 0 var(--space-3);
    align-items: baseline;
    inline-size: 100%;
    padding: var(--space-3) var(--space-2);
    border: 0;
    border-radius: 0;
    color: inherit;
    text-align: start;
    text-decoration: none;
    white-space: normal;
  }
  .lessons .own {
    grid-template-columns: minmax(0, 1fr);
  }
  .lessons a:hover {
    background: var(--color-surface-high);
  }
  .number {
    color: var(--color-text-3);
    text-align: end;
  }
  .title {
    font-size: var(--font-size-3);
    font-weight: var(--weight-medium);
    line-height: var(--line-3);
  }
  .goal {
    grid-column: 2 / -1;
    color: var(--color-text-2);
    font-size: var(--font-size-2);
    line-height: var(--line-2);
  }
  .own .goal {
    grid-column: 1;
  }
  .time {
    display: flex;
    gap: var(--space-2);
    align-items: baseline;
    color: var(--color-text-2);
    white-space: nowrap;
  }
  .time .mark {
    padding: 0 var(--space-2);
    border-radius: var(--radius-2);
    background: var(--color-surface-high);
    color: var(--color-text);
    font-size: var(--font-size-0);
    line-height: 1.25rem;
  }
  .others {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-3);
    align-items: center;
  }
  .file {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2);
    align-items: center;
  }
  @media (max-width: 50rem) {
    .lessons a {
      grid-template-columns: 1.5rem minmax(0, 1fr);
    }
    .time {
      grid-column: 2;
    }
  }
`;
