/** What the shell asks of a page. */
import { type LitElement } from 'lit';

/**
 * A page element. It stays alive while another page is on screen (a run goes on, what was opened stays open), so it looks
 * at `shown` before it plays, listens or draws. Its state in a link is `views[NAME]` of the store: read it when it
 * changes, write it with `router.show(NAME, view, how)`. Its keys go into `services.commands` with
 * `CommandsController`.
 */
export interface PageElement extends LitElement {
  /** Presenter mode: only what carries the point. */
  presenting: boolean;
  /** Whether this page is on screen. */
  shown: boolean;
}

export interface PageEntry {
  /** As in links: `#lab?v=1`. */
  readonly name: string;
  /** On the tab and as the heading. */
  readonly title: () => string;
  /** Fetches the code of the page and makes it; called at the first visit. */
  readonly load: () => Promise<PageElement>;
}
