import axe from 'axe-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type MemoryRun } from '../../../model/memory-map/memory-run.js';
import { isPinned, MomentReader } from '../../../model/memory-map/moment.js';
import { ProgramAxis } from '../../../model/memory-map/program-axis.js';
import { memoryRunOf } from '../../../model/memory-map/run-of-trace.js';
import { TraceBuilder } from '../../../model/trace/trace-builder.js';
import { findWorkload } from '../../../model/workload/catalogue.js';
import { traceOf } from '../../../model/workload/trace-program.js';
import { button, collect, find, mount, textOf } from '../../testing/mount.js';
import { isOnMap, requestHitIn } from './map-moves.js';
import { MemoryView } from './memory-view.js';
import { pinnedHitIn } from './view-state.js';

const MIB = 2 ** 20;
const lesson = (bank: string): MemoryRun =>
  memoryRunOf(traceOf(findWorkload('lesson-loop'), { bank }), { name: 'caching', conf: '', capacity: 992 * MIB });
const RUNS = [lesson('concat'), lesson('prealloc')];
const AXIS = new ProgramAxis(RUNS);
const FAILURE = AXIS.positionOf(0, (RUNS[0]?.end ?? 0) - 1);

/** A view of which the page keeps what it asks for, painted once. */
async function show(properties: Partial<MemoryView> = {}, height = '800px'): Promise<MemoryView> {
  const view = new MemoryView();
  view.style.inlineSize = '900px';
  view.style.blockSize = height;
  view.addEventListener('app-position-changed', ({ position }) => (view.position = position));
  view.addEventListener('app-block-pinned', ({ pinned }) => (view.pinned = pinned));
  view.addEventListener('app-range-selected', ({ range }) => (view.range = range));
  view.addEventListener('app-map-rows-chosen', ({ rows }) => (view.rows = rows));
  let paintings = 0;
  await mount(view, { runs: RUNS, position: FAILURE, onPainted: () => paintings++, ...properties });
  await expect.poll(() => paintings).toBeGreaterThan(0);
  await view.updateComplete;
  return view;
}

const map = (view: MemoryView, index = 0): HTMLElement => {
  const found = view.renderRoot.querySelectorAll<HTMLElement>('.map')[index];
  if (found === undefined) throw new Error(`no map ${index}`);
  return found;
};
const detail = (view: MemoryView): string => textOf(find(view, '.detail [role=status]', HTMLElement));
async function press(view: MemoryView, target: HTMLElement, init: KeyboardEventInit): Promise<KeyboardEvent> {
  const event = new KeyboardEvent('keydown', { cancelable: true, bubbles: true, ...init });
  target.dispatchEvent(event);
  await view.updateComplete;
  return event;
}
/** The picture of the view as pixels. */
async function pixels(view: MemoryView): Promise<ImageData> {
  const image = await createImageBitmap(await view.picture());
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
  if (context === null) throw new Error('no context');
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, image.width, image.height);
}
function count({ data }: ImageData, [red, green, blue]: readonly [number, number, number]): number {
  let found = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) found++;
  }
  return found;
}

describe('the memory view', () => {
  it('says what each map shows, in its name and in figures', async () => {
    const view = await show();
    const [a] = RUNS;
    const at = (a?.end ?? 0) - 1;
    const name = map(view).getAttribute('aria-label');
    expect(name).toContain(`Memory map A at step 16: ${a?.tracks.segments[at] ?? 0} segments, 725.2 MiB allocated`);
    expect(name).toContain(`${a?.tracks.holes[at] ?? 0} holes, largest 84 MiB`);
    const figures = [...view.renderRoot.querySelectorAll('.key')].map((key) => textOf(key));
    expect(figures[0]).toBe(`725.2 allocated 178.8 free in ${a?.tracks.holes[at] ?? 0} holes 88.0 not reserved`);
    expect(figures).toHaveLength(2);
    expect(textOf(find(view, '.where', HTMLElement))).toContain(`step 16 of 20 steps. A: operation`);
    expect(textOf(find(view, '.legend', HTMLElement))).toContain('request');
  });

  it('paints categories, pins and the request that failed, and repaints in the other theme', async () => {
    const view = await show();
    const light = await pixels(view);
    expect(count(light, [0x1b, 0x69, 0xae])).toBeGreaterThan(5000);
    expect(count(light, [0xe8, 0xa0, 0x1c])).toBeGreaterThan(5000);
    expect(count(light, [0xc8, 0x42, 0x1f])).toBeGreaterThan(300);
    document.documentElement.dataset['theme'] = 'dark';
    onTestFinished(() => {
      delete document.documentElement.dataset['theme'];
    });
    await expect.poll(async () => count(await pixels(view), [0x2a, 0x74, 0xb8])).toBeGreaterThan(5000);
    expect(count(await pixels(view), [0x1b, 0x69, 0xae])).toBe(0);
  });

  it('is walked with arrow keys, and Enter keeps what is looked at until Escape', async () => {
    const view = await show();
    const pins = collect(view, 'app-block-pinned');
    expect(detail(view)).toContain('Point at a block');
    await press(view, map(view), { key: 'Home' });
    expect(detail(view)).toContain('embed.weight parameters, 8 MiB (8,388,608 bytes) in 20 MiB');
    await press(view, map(view), { key: 'ArrowRight' });
    expect(detail(view)).not.toContain('embed.weight');
    await press(view, map(view), { key: 'h' });
    expect(detail(view)).toContain('Free 84 MiB (88,080,384 bytes)');
    await press(view, map(view), { key: 'p' });
    expect(detail(view)).toContain('activations');
    await press(view, map(view), { key: 'Enter' });
    const moment = new MomentReader(RUNS[0] ?? lesson('concat')).at((RUNS[0]?.end ?? 0) - 1);
    const held = moment.areas.filter(isPinned).flatMap(({ first, end }) => [...moment.rows.subarray(first, end)]);
    expect(pins).toHaveLength(1);
    expect(held).toContain(pins[0]?.pinned?.block);
    await press(view, map(view), { key: 'Escape' });
    expect(view.pinned).toBeUndefined();
    expect(detail(view)).toContain('Point at a block');
  });

  it('zooms and pans by place on the keyboard, and fits what is looked at', async () => {
    const view = await show();
    const before = await pixels(view);
    await press(view, map(view), { key: 'Home' });
    expect((await press(view, map(view), { key: 'z', code: 'KeyW' })).defaultPrevented).toBe(true);
    expect((await press(view, map(view), { key: 'q', code: 'KeyD' })).defaultPrevented).toBe(true);
    expect((await press(view, map(view), { key: 'w', code: 'KeyZ' })).defaultPrevented).toBe(false);
    expect((await press(view, map(view), { key: 'w', code: 'KeyW', ctrlKey: true })).defaultPrevented).toBe(false);
    await press(view, map(view), { key: 'f' });
    // The first block, parameters, is most of the row now.
    const blue = [0x1b, 0x69, 0xae] as const;
    await expect.poll(async () => count(await pixels(view), blue) > 2 * count(before, blue)).toBe(true);
  });

  it('shows what the pointer is at, and a click keeps it', async () => {
    const view = await show();
    const pins = collect(view, 'app-block-pinned');
    const box = map(view).getBoundingClientRect();
    const at = { clientX: box.left + 10, clientY: box.top + 25, pointerId: 1, button: 0, bubbles: true };
    map(view).dispatchEvent(new PointerEvent('pointermove', at));
    await view.updateComplete;
    expect(detail(view)).toContain('embed.weight');
    map(view).dispatchEvent(new PointerEvent('pointerdown', at));
    map(view).dispatchEvent(new PointerEvent('pointerup', at));
    map(view).dispatchEvent(new PointerEvent('pointerleave', at));
    await view.updateComplete;
    expect(pins.at(-1)?.pinned?.run).toBe(0);
    expect(detail(view)).toContain('embed.weight');
  });

  it('zooms with the wheel where the pointer is, and does not scroll the page', async () => {
    const view = await show();
    const { left, top } = map(view).getBoundingClientRect();
    const wheel = new WheelEvent('wheel', { clientX: left + 50, clientY: top + 50, deltaY: -400, cancelable: true });
    const before = count(await pixels(view), [0x1b, 0x69, 0xae]);
    map(view).dispatchEvent(wheel);
    expect(wheel.defaultPrevented).toBe(true);
    await expect.poll(async () => count(await pixels(view), [0x1b, 0x69, 0xae])).not.toBe(before);
  });

  it('moves the playhead by steps, by operations and to the failure', async () => {
    const view = await show({ position: 0 });
    button(view, 'Step forward').click();
    await view.updateComplete;
    expect(textOf(find(view, '.where', HTMLElement))).toMatch(/^step 0 /);
    view.step(1);
    const { position } = view;
    view.step(-1);
    expect(view.position).toBe(position - 1);
    button(view, 'Go to out of memory').click();
    await view.updateComplete;
    expect(view.position).toBe(FAILURE);
    expect(button(view, 'Go to out of memory').disabled).toBe(true);
    view.moveTo(1e9, false);
    expect(view.position).toBe(AXIS.length - 1);
  });

  it('plays and pauses at the failure at which a run stopped', async () => {
    const view = await show({ position: FAILURE - 3 });
    const moves = collect(view, 'app-position-changed');
    button(view, 'Play').click();
    await expect.poll(() => view.position).toBe(FAILURE);
    await expect.poll(() => view.isPlaying).toBe(false);
    expect(moves.at(-1)?.isPlaying).toBe(false);
    await view.updateComplete;
    button(view, 'Play').click();
    await expect.poll(() => view.position).toBeGreaterThan(FAILURE);
    view.togglePlaying();
    expect(view.isPlaying).toBe(false);
  });

  it('selects a range with Shift and the arrows, with fields, and with a drag', async () => {
    const view = await show({ position: 1000 });
    const slider = find(view, '.tracks input', HTMLInputElement);
    await press(view, slider, { key: 'ArrowRight', shiftKey: true });
    await press(view, slider, { key: 'ArrowRight', shiftKey: true });
    expect(view.range?.from).toBe(1000);
    expect(view.range?.to).toBe(view.position);
    const [, to] = view.renderRoot.querySelectorAll<HTMLInputElement>('.range input');
    if (to === undefined) throw new Error('no field');
    to.value = '1500';
    to.dispatchEvent(new Event('change'));
    expect(view.range).toEqual({ from: 1000, to: 1500 });
    await view.updateComplete;
    // Accent at the ends of the selection: 14 % over the ground between them.
    const accent = [0x1c, 0x5f, 0xb8] as const;
    const before = count(await pixels(view), accent);
    button(view, 'Zoom in').click();
    await expect.poll(async () => count(await pixels(view), accent)).not.toBe(before);
    button(view, 'Clear').click();
    expect(view.range).toBeUndefined();
  });

  it('finds blocks by name and goes from one to the next', async () => {
    const view = await show();
    const field = find(view, 'input[type=search]', HTMLInputElement);
    field.value = 'kept.append';
    field.dispatchEvent(new InputEvent('input'));
    await view.updateComplete;
    const kept = (run: MemoryRun | undefined) =>
      Array.from(run?.blocks.name ?? []).filter((name) => (run?.names[name] ?? '').includes('kept.append')).length;
    expect(textOf(find(view, '.tools', HTMLElement))).toContain(`${kept(RUNS[0]) + kept(RUNS[1])} blocks`);
    button(view, 'Next').click();
    await view.updateComplete;
    expect(detail(view)).toContain('kept.append(logp)');
    const first = view.pinned;
    button(view, 'Next').click();
    await view.updateComplete;
    expect(view.pinned).not.toEqual(first);
  });

  it('opens on the request that failed where rows scroll, and brings a block that the page points at into view', async () => {
    const view = await show({ rows: 'single' }, '520px');
    const isShown = (subject = requestHitIn(view.shownState)): boolean =>
      subject !== undefined && isOnMap(view.shownState, subject);
    expect(view.renderRoot.querySelector('.strip')).not.toBeNull();
    expect(view.shownState.mapWindow.top).toBeGreaterThan(0);
    expect(isShown()).toBe(true);
    view.pinned = { run: 0, block: 0 };
    await view.updateComplete;
    expect(isShown(pinnedHitIn(view.shownState))).toBe(true);
    expect(isShown()).toBe(false);
    const { mapWindow } = view.shownState;
    view.position -= 1;
    await view.updateComplete;
    expect(view.shownState.mapWindow).toEqual(mapWindow);
  });

  it('has every event in a list that follows the playhead', async () => {
    const view = await show();
    button(view, 'Events').click();
    await view.updateComplete;
    const [list] = view.renderRoot.querySelectorAll('app-event-list');
    if (list === undefined) throw new Error('no list');
    await expect.poll(() => textOf(list)).toContain('out of memory: 102 MiB asked for');
    const box = find(list, '.list', HTMLElement);
    await press(view, box, { key: 'Home' });
    expect(view.position).toBe(AXIS.positionOf(0, 0));
    await expect.poll(() => textOf(list)).toContain('embed.weight: 8 MiB allocated');
    expect(list.renderRoot.querySelectorAll('.event').length).toBeLessThan(40);
  });

  it('has segments and blocks as a table', async () => {
    const view = await show();
    button(view, 'Table').click();
    await view.updateComplete;
    const [table] = view.renderRoot.querySelectorAll('table');
    const rows = [...(table?.querySelectorAll('tbody tr') ?? [])].map((row) => textOf(row));
    expect(rows[0]).toMatch(/^Segment 1 .* free 20 MiB 0x0/);
    expect(rows[1]).toContain('embed.weight parameters 8 MiB 0x0 live since operation 0');
    button(view, 'Later segments').click();
    await view.updateComplete;
    expect(textOf(table)).toContain('Segment 21');
    button(view, 'Table').click();
    await view.updateComplete;
    expect(view.renderRoot.querySelectorAll('.map')).toHaveLength(2);
  });

  it('has only what a room needs in presenter mode', async () => {
    const view = await show({ presenting: true });
    expect(view.renderRoot.querySelector('.tracks')).toBeNull();
    expect(view.renderRoot.querySelector('.detail')).toBeNull();
    expect(view.renderRoot.querySelector('select')).toBeNull();
    const slider = find(view, '.slider input', HTMLInputElement);
    expect(Number(slider.max)).toBe(AXIS.length - 1);
    slider.value = '100';
    slider.dispatchEvent(new InputEvent('input'));
    expect(view.position).toBe(100);
  });

  it('gives the tracks all the room, or the maps, and the events the place of the maps', async () => {
    const view = await show({ shows: 'tracks' });
    const tracks = (): HTMLElement | null => view.renderRoot.querySelector<HTMLElement>('.tracks');
    expect(view.renderRoot.querySelector('.map, .detail, .legend')).toBeNull();
    expect(tracks()?.offsetHeight).toBeGreaterThan(600);
    let paintings = 0;
    view.onPainted = () => paintings++;
    view.shows = 'maps';
    await expect.poll(() => paintings).toBeGreaterThan(0);
    expect(tracks()).toBeNull();
    expect(map(view).offsetHeight).toBeGreaterThan(200);
    expect(find(view, '.slider input', HTMLInputElement).valueAsNumber).toBe(FAILURE);
    button(view, 'Events').click();
    await view.updateComplete;
    expect(view.renderRoot.querySelector('.map')).toBeNull();
    expect(view.renderRoot.querySelector('app-event-list')).not.toBeNull();
  });

  it('takes a run that ends at once, and one of nothing', async () => {
    const empty = memoryRunOf(new TraceBuilder('nothing').finish(), { name: 'caching', conf: '', capacity: MIB });
    const view = await show({ runs: [empty], position: -1 });
    expect(map(view).getAttribute('aria-label')).toContain('0 segments');
    view.togglePlaying();
    await expect.poll(() => view.isPlaying).toBe(false);
    view.runs = [];
    await view.updateComplete;
    expect(textOf(view)).toBe('');
  });

  it('draws again after it was taken from the page and put back', async () => {
    const view = await show();
    let paintings = 0;
    view.onPainted = () => paintings++;
    view.remove();
    document.body.append(view);
    await expect.poll(() => paintings).toBeGreaterThan(0);
    expect(count(await pixels(view), [0x1b, 0x69, 0xae])).toBeGreaterThan(5000);
  });

  it.each(['light', 'dark'])(
    'passes axe in the %s theme, with every panel',
    async (theme) => {
      document.documentElement.dataset['theme'] = theme;
      onTestFinished(() => {
        delete document.documentElement.dataset['theme'];
      });
      const view = await show({ range: { from: 10, to: 200 } });
      for (const words of ['Events', 'Table']) {
        button(view, words).click();
        await view.updateComplete;
        const { violations } = await axe.run(view, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] });
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      }
    },
    90_000,
  );
});
