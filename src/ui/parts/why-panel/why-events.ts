/** What the Why panel tells its page. */
export class WhyBlockChosenEvent extends Event {
  static readonly eventName = 'app-why-block-chosen';
  /** `rows`: operations that allocated the blocks, or rows of `run.blocks`. */
  constructor(
    readonly rows: readonly number[],
    readonly by: 'operation' | 'block',
  ) {
    super(WhyBlockChosenEvent.eventName, { bubbles: true, composed: true });
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'app-why-block-chosen': WhyBlockChosenEvent;
  }
}
