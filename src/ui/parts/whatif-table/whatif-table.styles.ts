import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template-rows: auto minmax(0, 1fr);
    min-inline-size: 0;
    min-block-size: 0;
    padding: var(--space-3) var(--space-4);
  }
  header {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: var(--space-2);
  }
  .tools {
    display: flex;
    gap: var(--space-1);
    margin-inline-start: auto;
  }
  tbody th {
    padding-inline-start: var(--space-2);
  }
  thead th:first-child {
    padding-inline-start: var(--space-2);
  }
  td,
  thead th {
    padding-inline-end: var(--space-2);
  }
  /* A column is as wide as its figures. */
  thead .number {
    min-inline-size: 4rem;
    line-height: 1.125rem;
    vertical-align: bottom;
    white-space: normal;
  }
  /* The name takes what the figures leave. */
  tbody th[scope='row'] {
    inline-size: 100%;
    min-inline-size: 12rem;
    max-inline-size: 0;
  }
  /* A long name gives way; the words behind it stay. */
  .change {
    display: flex;
    align-items: baseline;
    gap: var(--space-2);
  }
  .name {
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .section th {
    padding-block: var(--space-1) 0;
    border-block-end: 0;
    color: var(--color-text-3);
    font-family: var(--font-sans);
  }
  .best {
    background: var(--color-ok-soft);
  }
  .best th {
    box-shadow: inset 0.125rem 0 0 var(--color-ok);
  }
  .word {
    color: var(--color-ok);
    font-family: var(--font-sans);
    font-weight: var(--weight-medium);
  }
  .actions {
    padding-block: 0;
    text-align: end;
  }
  .actions .icon {
    display: inline-grid;
    min-block-size: var(--target-small);
    inline-size: var(--target-small);
    vertical-align: middle;
  }
  form {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: var(--space-2);
    padding-block: var(--space-2);
  }
  form .field {
    flex: 1 1 16rem;
  }
  form .field.short {
    flex: 0 1 10rem;
  }
  @media (forced-colors: active) {
    .best {
      outline: 0.125rem solid Highlight;
      outline-offset: -0.125rem;
    }
  }
`;
