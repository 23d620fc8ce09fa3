import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
    container-type: inline-size;
    min-inline-size: 0;
  }
  .head {
    display: grid;
    grid-template: 'title outcome' 'code code' / minmax(0, max-content) minmax(min-content, 1fr);
    gap: var(--space-1) var(--space-2);
    align-items: center;
  }
  .title {
    display: flex;
    grid-area: title;
    align-items: center;
    gap: var(--space-2);
    min-inline-size: 0;
  }
  .letter {
    display: grid;
    flex: none;
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
  code {
    grid-area: code;
    overflow: hidden;
    padding-inline-start: 1.75rem;
    color: var(--color-text-2);
    font-size: var(--font-size-0);
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .outcome {
    display: flex;
    grid-area: outcome;
    align-items: center;
    justify-self: end;
    gap: var(--space-1);
    white-space: nowrap;
  }
  .outcome.refused {
    white-space: normal;
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
  /* The end of a title is its point ("batch 8"): where both would not fit, the outcome goes beside the code. Both sides
     are equally wide, so their maps stay level. */
  @container (max-width: 29rem) {
    .head {
      grid-template: 'title title' 'code outcome' / minmax(0, 1fr) auto;
    }
    .head:has(.refused) {
      grid-template: 'title' 'outcome' 'code' / minmax(0, 1fr);
    }
    .outcome.refused {
      justify-self: start;
    }
  }
`;
