import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template-rows: auto minmax(0, 1fr);
    gap: var(--space-2);
    min-inline-size: 0;
    min-block-size: 0;
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--space-1) var(--space-3);
  }
  .tabs {
    display: flex;
    flex-wrap: wrap;
    gap: 0.125rem;
  }
  .facts {
    color: var(--color-text-2);
  }
  .body {
    display: grid;
    grid-template-rows: minmax(0, 1fr) auto;
    min-block-size: 0;
    overflow: auto;
  }
  app-memory-view {
    min-block-size: 18rem;
  }
  /* Map, legend and tracks of a timeline share the height of a small projector. */
  @media (max-width: 75rem) {
    app-memory-view {
      --memory-view-map-least: 5.25rem;
      --memory-view-tracks: 6.75rem;
    }
  }
  :host([presenting]) app-memory-view {
    min-block-size: 13rem;
  }
  app-why-panel {
    padding-block: var(--space-1);
  }
  /* On a small projector the map's red box and the text beside it say the same. */
  @media (max-width: 75rem) {
    :host([presenting]) app-why-panel {
      display: none;
    }
  }
  .waiting {
    padding-block: var(--space-6);
    color: var(--color-text-2);
  }
  app-line-chart {
    min-block-size: 20rem;
    padding-inline: 0;
  }
  .empty {
    padding-block: var(--space-6);
  }
`;
