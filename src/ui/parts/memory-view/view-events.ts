/** What the memory view tells its page. */
const UPWARDS: EventInit = { bubbles: true, composed: true };

/** Rows of the map: segments side by side, or one a row. */
export type MapRows = 'packed' | 'single';

/** All pictures of a view, or one kind that gets all the room. */
export type ShownPictures = 'all' | 'maps' | 'tracks';

/** A block of one of the runs. */
export interface BlockRef {
  /** Place in `runs`. */
  readonly run: number;
  /** Row of `run.blocks`. */
  readonly block: number;
}

/** The playhead is at another position (`ProgramAxis`). The page sets `position` to it. */
export class PositionChangedEvent extends Event {
  static readonly eventName = 'app-position-changed';
  constructor(
    readonly position: number,
    /** While it plays, so that a page need not write every frame into its address. */
    readonly isPlaying: boolean,
  ) {
    super(PositionChangedEvent.eventName, UPWARDS);
  }
}

/** A block was pinned, so that its details stay; undefined: let go. The page sets `pinned` to it. */
export class BlockPinnedEvent extends Event {
  static readonly eventName = 'app-block-pinned';
  constructor(readonly pinned: BlockRef | undefined) {
    super(BlockPinnedEvent.eventName, UPWARDS);
  }
}

/** A range of positions was selected on the timeline, both ends included; undefined: nothing is. */
export class RangeSelectedEvent extends Event {
  static readonly eventName = 'app-range-selected';
  constructor(readonly range: PositionRange | undefined) {
    super(RangeSelectedEvent.eventName, UPWARDS);
  }
}

export interface PositionRange {
  readonly from: number;
  readonly to: number;
}

/** Rows of the map were switched. The page sets `rows` to it. */
export class MapRowsChosenEvent extends Event {
  static readonly eventName = 'app-map-rows-chosen';
  constructor(readonly rows: MapRows) {
    super(MapRowsChosenEvent.eventName, UPWARDS);
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'app-position-changed': PositionChangedEvent;
    'app-block-pinned': BlockPinnedEvent;
    'app-range-selected': RangeSelectedEvent;
    'app-map-rows-chosen': MapRowsChosenEvent;
  }
}
