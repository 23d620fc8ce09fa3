import { css } from 'lit';

export const styles = css`
  dialog {
    inline-size: min(76rem, calc(100vw - 2rem));
    max-inline-size: none;
    block-size: min(48rem, calc(100vh - 2rem));
    max-block-size: none;
    padding: 0;
    border: var(--border) solid var(--color-line-strong);
    border-radius: var(--radius-3);
    background: var(--color-surface);
    color: var(--color-text);
    box-shadow: var(--color-shadow);
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 0.4);
  }
  .frame {
    display: grid;
    grid-template-rows: auto auto minmax(0, 2fr) minmax(0, 3fr);
    block-size: 100%;
  }
  .frame > header {
    display: flex;
    align-items: center;
    gap: var(--space-3);
    padding: var(--space-2) var(--space-4);
    border-block-end: var(--border) solid var(--color-line);
  }
  .frame > header .icon,
  .frame > header .import {
    margin-inline-start: auto;
  }
  .frame > header .import + .icon {
    margin-inline-start: 0;
  }
  .told:not(:empty) {
    display: flex;
    align-items: center;
    gap: var(--space-3);
    padding: var(--space-1) var(--space-4);
    background: var(--color-surface-low);
    color: var(--color-text-2);
    overflow-wrap: anywhere;
  }
  .told .trouble {
    color: var(--color-bad);
  }
  .list,
  .comparison {
    min-block-size: 0;
    overflow: auto;
    padding-inline: var(--space-4);
  }
  .list {
    border-block-end: var(--border) solid var(--color-line);
  }
  .list tbody th {
    font-family: var(--font-sans);
    font-size: var(--font-size-1);
  }
  .list td:first-child,
  .list td:nth-child(2),
  .list thead th:nth-child(-n + 2) {
    inline-size: 2rem;
    text-align: center;
  }
  .list label {
    display: grid;
    place-items: center;
    min-block-size: var(--target-small);
    min-inline-size: var(--target-small);
  }
  .list input[type='radio'] {
    margin: 0;
    accent-color: var(--color-ink);
  }
  .list .name input {
    min-block-size: var(--target);
    padding-inline: var(--space-2);
    border: var(--border) solid var(--color-line-strong);
    border-radius: var(--radius-2);
    background: var(--color-surface);
  }
  .list .name form {
    display: flex;
    gap: var(--space-1);
  }
  tr.shown th {
    font-weight: var(--weight-strong);
  }
  .actions {
    text-align: end;
  }
  .empty {
    padding-block: var(--space-4);
  }
  .comparison h3 {
    margin: 0;
    font-size: var(--font-size-1);
  }
  .comparison .top {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--space-1) var(--space-3);
    padding-block: var(--space-2);
  }
  .comparison .note {
    padding-block-end: var(--space-1);
    color: var(--color-warn);
  }
  .comparison td:last-child {
    white-space: normal;
  }
  .faster,
  .same {
    color: var(--color-ok);
  }
  .slower {
    color: var(--color-bad);
  }
  .ambiguous,
  .not-comparable {
    color: var(--color-warn);
  }
  .import {
    position: relative;
    display: inline-grid;
    place-items: center;
    min-block-size: var(--target);
    padding-inline: var(--space-3);
    border: var(--border) solid var(--color-line-strong);
    border-radius: var(--radius-2);
    cursor: pointer;
  }
  .import:hover {
    background: var(--color-surface-high);
  }
  .import:focus-within {
    outline: var(--focus-width) solid var(--color-focus);
    outline-offset: 0.125rem;
  }
  .import input {
    position: absolute;
    inset: 0;
    opacity: 0;
    cursor: pointer;
  }
`;
