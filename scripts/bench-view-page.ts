/**
 * The page behind `npm run bench:view`: one run of a million operations with 50,000 living blocks in the memory view, moved
 * about a frame at a time as a hand would, with the drawing timed where it is done.
 */
import '../src/ui/styles/tokens.css';
import '../src/ui/styles/page.css';
import { mulberry32 } from '../src/base/random.js';
import { ViewPainter } from '../src/engine/view/view-painter.js';
import { type PaintTimes } from '../src/engine/view/view-protocol.js';
import { type MemoryRun } from '../src/model/memory-map/memory-run.js';
import { MomentReader } from '../src/model/memory-map/moment.js';
import { memoryRunOf } from '../src/model/memory-map/run-of-trace.js';
import { wholeRow } from '../src/model/memory-map/windows.js';
import { TraceBuilder } from '../src/model/trace/trace-builder.js';
import { MemoryView } from '../src/ui/parts/memory-view/memory-view.js';
import { pictureWords, readPalette } from '../src/ui/parts/memory-view/view-style.js';

const GIB = 2 ** 30;
const KIB = 2 ** 10;
const TRACKS = { width: 1500, height: 800 };
const MAP = { width: 1500, height: 800 };

export interface ViewCase {
  readonly name: string;
  readonly frames: number;
  /** Milliseconds between the frames that the browser gave. */
  readonly intervals: readonly number[];
  /** What each picture took to draw. */
  readonly times: readonly PaintTimes[];
}

export interface RunFacts {
  readonly operations: number;
  readonly blocks: number;
  readonly living: number;
  readonly drawnBlocks: number;
  readonly buildMs: number;
  readonly loadMs: number;
}

let run: MemoryRun | undefined;
let view: MemoryView | undefined;
let painted: PaintTimes[] = [];

/** Fills up to so many living blocks, then one comes and one goes. */
function program(operations: number, living: number) {
  const builder = new TraceBuilder('bench');
  const random = mulberry32(24);
  const live: number[] = [];
  let id = 0;
  for (let i = 0; i < operations; i++) {
    if (live.length < living || (random() & 1) === 0) {
      const dice = random() % 100;
      const size = 512 + (random() % (dice < 90 ? 64 * KIB : dice < 99 ? KIB * KIB : 16 * KIB * KIB));
      builder.allocate(++id, size, 0, 1 + (random() % 6), `tensor ${id % 4096}`);
      live.push(id);
    } else {
      const at = random() % live.length;
      builder.free(live[at] ?? 0);
      live[at] = live[live.length - 1] ?? 0;
      live.pop();
    }
  }
  return builder.finish();
}

/** Builds the run and shows it. */
async function open(operations: number, living: number): Promise<RunFacts> {
  const begin = performance.now();
  run = memoryRunOf(program(operations, living), { name: 'caching', conf: '', capacity: 200 * GIB });
  const built = performance.now();
  const moment = new MomentReader(run).at(run.end - 1);
  view = new MemoryView();
  view.style.inlineSize = `${TRACKS.width + 32}px`;
  view.style.blockSize = `${MAP.height + TRACKS.height + 220}px`;
  view.style.setProperty('--memory-view-tracks', `${TRACKS.height}px`);
  view.addEventListener('app-position-changed', ({ position }) => {
    if (view !== undefined) view.position = position;
  });
  const first = new Promise<void>((resolve) => {
    if (view === undefined) return;
    view.onPainted = (times) => {
      painted.push(times);
      resolve();
    };
  });
  document.body.append(view);
  const shown = performance.now();
  view.runs = [run];
  view.position = run.end - 1;
  await first;
  return {
    operations: run.end,
    blocks: run.blocks.count,
    living: moment.rows.length,
    drawnBlocks: moment.areas.reduce((sum, { first: from, end }) => sum + end - from, 0),
    buildMs: built - begin,
    loadMs: performance.now() - shown,
  };
}

const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

/** Does something each frame and waits for the frame; afterwards until the last picture is painted. */
async function perFrame(name: string, frames: number, act: (frame: number) => void): Promise<ViewCase> {
  painted = [];
  const intervals: number[] = [];
  let last = await nextFrame();
  for (let frame = 0; frame < frames; frame++) {
    act(frame);
    const now = await nextFrame();
    intervals.push(now - last);
    last = now;
  }
  for (let i = 0; i < 10; i++) await nextFrame();
  return { name, frames, intervals, times: painted };
}

function wheel(selector: string, frame: number, options: WheelEventInit): void {
  const target = view?.renderRoot.querySelector(selector);
  const box = target?.getBoundingClientRect();
  if (target === null || target === undefined || box === undefined) throw new Error(`no ${selector}`);
  const clientX = box.left + box.width * (0.3 + 0.4 * ((frame % 50) / 50));
  target.dispatchEvent(
    new WheelEvent('wheel', { clientX, clientY: box.top + box.height / 2, cancelable: true, ...options }),
  );
}

/** One way of moving about. */
async function move(name: string, frames: number): Promise<ViewCase> {
  const shown = view;
  const end = run?.end ?? 0;
  if (shown === undefined) throw new Error('nothing is shown');
  switch (name) {
    case 'timeline pan':
      for (let i = 0; i < 12; i++) wheel('.tracks', 25, { deltaY: -400 });
      await shown.updateComplete;
      return perFrame(name, frames, (frame) => wheel('.tracks', frame, { deltaX: frame % 100 < 50 ? 30 : -30 }));
    case 'timeline zoom':
      return perFrame(name, frames, (frame) => wheel('.tracks', frame, { deltaY: frame % 40 < 20 ? -160 : 160 }));
    case 'map zoom':
      return perFrame(name, frames, (frame) => {
        wheel('.map', frame, { deltaY: frame % 40 < 20 ? -160 : 160, ctrlKey: true });
      });
    case 'scrub':
      return perFrame(name, frames, (frame) => {
        shown.moveTo((frame * 7919 * 131) % end, false);
      });
    case 'play': {
      shown.moveTo(Math.floor(end / 2), false);
      await shown.updateComplete;
      shown.togglePlaying();
      const result = await perFrame(name, frames, () => undefined);
      shown.togglePlaying();
      return result;
    }
    default:
      throw new Error(`no case "${name}"`);
  }
}

/** The same pictures drawn on the page itself: what a worker saves the main thread. */
function drawHere(frames: number): { readonly maps: readonly number[]; readonly tracks: readonly number[] } {
  const probe = document.createElement('i');
  document.body.append(probe);
  if (run === undefined) throw new Error('nothing is shown');
  const { end } = run;
  const painter = new ViewPainter();
  painter.setStyle({ palette: readPalette(probe), words: pictureWords('operation'), font: 'sans-serif' });
  painter.setCanvas('map-0', new OffscreenCanvas(1, 1));
  painter.setCanvas('tracks', new OffscreenCanvas(1, 1));
  painter.setRuns([run]);
  const rowBytes = painter.layouts('packed')[0]?.rowBytes ?? 1;
  const times = Array.from({ length: frames }, (_, frame) =>
    painter.paint({
      position: (frame * 7919 * 131) % end,
      maps: {
        frame: { ...MAP, scale: 1 },
        strip: undefined,
        window: wholeRow(rowBytes),
        rows: 'packed',
        marks: [{ numbered: [], pinned: undefined, hovered: undefined, found: [] }],
      },
      tracks: {
        frame: { ...TRACKS, scale: 1 },
        window: { from: -1, to: end - frame },
        mode: 'tracks',
        selection: undefined,
        letters: [],
        layer: '',
      },
      ends: { frame: { ...TRACKS, scale: 1 }, mode: 'tracks', layer: '' },
    }),
  );
  return { maps: times.map(({ maps }) => maps), tracks: times.map(({ tracks }) => tracks) };
}

declare global {
  interface Window {
    viewBench: { readonly open: typeof open; readonly move: typeof move; readonly drawHere: typeof drawHere };
  }
}
window.viewBench = { open, move, drawHere };
