/** What pointers and keys do on the maps: look, pin, zoom, pan and walk. Both maps have one window; the page owns the pin. */
import { type MapWindow } from '../../../model/memory-map/map-geometry.js';
import { walk, type WalkStep } from '../../../model/memory-map/map-walk.js';
import { zoomMap } from '../../../model/memory-map/windows.js';
import { fittedMap, lookedShare, pannedMap, shownMap, stripMap } from './map-moves.js';
import { MapPointer, type MapPlace } from './map-pointer.js';
import { type BlockRef } from './view-events.js';
import { PAN_KEYS, ZOOM_KEYS } from './view-keys.js';
import { hitIn, type Looked, rowBytesIn, scrollsIn, type ViewState } from './view-state.js';

/** The view, as far as hands on the maps go. */
export interface HandledMaps {
  state(): ViewState;
  look(looked: Looked | undefined): void;
  pin(pinned: BlockRef | undefined): void;
  /** The maps show another part of their rows. */
  lookThrough(window: MapWindow): void;
}

const WALK_KEYS: Readonly<Record<string, WalkStep>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'home',
  End: 'end',
  h: 'next-hole',
  H: 'next-hole',
  p: 'next-pin',
  P: 'next-pin',
};

export class MapHands {
  readonly pointer: MapPointer;

  constructor(
    private readonly maps: HandledMaps,
    private readonly run: number,
  ) {
    this.pointer = new MapPointer({
      hover: (place) => this.#hover(place),
      click: (place) => this.#click(place),
      zoom: (factor, share) => this.#zoom(factor, share),
      pan: (across, down) => maps.lookThrough(pannedMap(maps.state(), across, down)),
      scrollsRows: () => scrollsIn(maps.state()),
    });
  }

  readonly onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { maps, run } = this;
    const zoom = ZOOM_KEYS[event.code];
    const pan = PAN_KEYS[event.code];
    const step = WALK_KEYS[event.key];
    if (zoom !== undefined) this.#zoom(zoom, lookedShare(maps.state(), run));
    else if (pan !== undefined) maps.lookThrough(pannedMap(maps.state(), pan, 0));
    else if (step !== undefined) this.#walk(step);
    else if (event.key === 'Enter') this.#pinLooked();
    else if (event.key === 'Escape') {
      maps.look(undefined);
      maps.pin(undefined);
    } else if (event.key.toLowerCase() === 'f') maps.lookThrough(fittedMap(maps.state(), run));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** A press on the strip beside the map, or a move while it is pressed. */
  readonly onStrip = (event: PointerEvent): void => {
    if (event.type === 'pointermove' && event.buttons === 0) return;
    if (!(event.currentTarget instanceof Element)) return;
    const { top } = event.currentTarget.getBoundingClientRect();
    this.maps.lookThrough(stripMap(this.maps.state(), event.clientY - top));
  };

  #hover(place: MapPlace | undefined): void {
    const { maps, run } = this;
    const state = maps.state();
    const hit = place && hitIn(state, run, place);
    if (hit?.address === state.looked?.hit.address && hit?.block === state.looked?.hit.block) return;
    maps.look(hit && { run, hit });
  }

  #click(place: MapPlace): void {
    const { maps, run } = this;
    const hit = hitIn(maps.state(), run, place);
    maps.look(hit && { run, hit });
    maps.pin(hit === undefined || hit.block === -1 ? undefined : { run, block: hit.block });
  }

  #zoom(factor: number, share: number): void {
    const state = this.maps.state();
    this.maps.lookThrough(zoomMap(state.mapWindow, rowBytesIn(state), factor, share));
  }

  #pinLooked(): void {
    const { looked } = this.maps.state();
    if (looked?.run === this.run && looked.hit.block !== -1) this.maps.pin({ run: this.run, block: looked.hit.block });
  }

  #walk(step: WalkStep): void {
    const { maps, run } = this;
    const { data, position, looked } = maps.state();
    const [of, moment] = [data.runs[run], data.momentAt(run, position)];
    if (of === undefined || moment === undefined) return;
    const hit = walk(of, moment, looked?.run === run ? looked.hit : undefined, step);
    if (hit === undefined) return;
    maps.look({ run, hit });
    maps.lookThrough(shownMap(maps.state(), run, hit));
  }
}
