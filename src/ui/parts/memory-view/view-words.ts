/** Messages of the memory view. */
import { msg, str } from '@lit/localize';
import { formatBytes, formatNumber } from '../../../base/format.js';
import { type MapHit } from '../../../model/memory-map/map-geometry.js';
import { EVENT, type MemoryRun, NEVER } from '../../../model/memory-map/memory-run.js';
import { type Moment } from '../../../model/memory-map/moment.js';
import { shortMiB } from '../../../model/memory-map/paint/picture.js';
import { type ProgramAxis } from '../../../model/memory-map/program-axis.js';
import { CATEGORY } from '../../../model/trace/trace.js';
import { type ViewData } from './view-data.js';

/** The category of a block in one word. */
export function categoryWord(category: number): string {
  switch (category) {
    case CATEGORY.parameter:
      return msg('parameters', { desc: 'category of a tensor' });
    case CATEGORY.gradient:
      return msg('gradients', { desc: 'category of a tensor' });
    case CATEGORY.optimizer:
      return msg('optimiser', { desc: 'category of a tensor' });
    case CATEGORY.activation:
      return msg('activations', { desc: 'category of a tensor' });
    case CATEGORY.temporary:
      return msg('temporaries', { desc: 'category of a tensor' });
    case CATEGORY.communication:
      return msg('communication', { desc: 'category of a tensor' });
    default:
      return msg('unknown', { desc: 'category of a tensor: nothing tells it' });
  }
}

/** Its letter on the map: colour is never the only signal. */
export const categoryLetter = (category: number): string => 'PGOATC'[LETTERS.indexOf(category)] ?? '?';
const LETTERS: readonly number[] = [
  CATEGORY.parameter,
  CATEGORY.gradient,
  CATEGORY.optimizer,
  CATEGORY.activation,
  CATEGORY.temporary,
  CATEGORY.communication,
];

/** The name of a block, or its number where it has none. */
export function blockName({ blocks, names }: MemoryRun, block: number): string {
  const name = names[blocks.name[block] ?? -1];
  if (name !== undefined && name !== '') return name;
  if (blocks.bornAt[block] === -1) return msg('made before the trace began', { desc: 'memory view: name of a block' });
  return msg(str`tensor ${formatNumber(blocks.id[block] ?? 0)}`, { desc: 'memory view: name of a block by number' });
}

/** When it lived, in operations or events. */
export function lifeWords({ blocks, unit }: MemoryRun, block: number): string {
  const [born = 0, died = NEVER] = [blocks.bornAt[block], blocks.diedAt[block]];
  const [from, to] = [formatNumber(born), formatNumber(died)];
  if (unit === 'event') {
    if (born < 0 && died === NEVER) return msg('live throughout', { desc: 'life of a block' });
    if (born < 0) return msg(str`live until event ${to}`, { desc: 'life of a block' });
    return died === NEVER
      ? msg(str`live since event ${from}`, { desc: 'life of a block' })
      : msg(str`events ${from} to ${to}`, { desc: 'life of a block' });
  }
  return died === NEVER
    ? msg(str`live since operation ${from}`, { desc: 'life of a block' })
    : msg(str`operations ${from} to ${to}`, { desc: 'life of a block' });
}

/** Head and rest of the detail line: what lies there. */
export function detailWords(
  run: MemoryRun,
  moment: Moment,
  hit: MapHit,
): { readonly head: string; readonly rest: string } {
  const area = moment.areas[hit.area];
  const [size, bytes] = [formatBytes(hit.size), formatNumber(hit.size)];
  const segment = formatBytes(area?.size ?? 0);
  const live = formatBytes(area?.live ?? 0);
  if (hit.block === -1) {
    return {
      head: msg('Free', { desc: 'detail line of the memory map: a hole' }),
      rest: msg(str`${size} (${bytes} bytes), in a segment of ${segment} with ${live} live`, {
        desc: 'detail line of the memory map: a hole',
      }),
    };
  }
  const category = categoryWord(run.blocks.category[hit.block] ?? CATEGORY.unknown);
  const life = lifeWords(run, hit.block);
  const isPending = (run.blocks.freedAt[hit.block] ?? NEVER) <= moment.operation;
  return {
    head: blockName(run, hit.block),
    rest: isPending
      ? msg(str`${category}, ${size} (${bytes} bytes) in ${segment}, freed, but a stream still uses it, ${life}`, {
          desc: 'detail line of the memory map: a block that waits for a stream',
        })
      : msg(str`${category}, ${size} (${bytes} bytes) in ${segment}, ${life}`, {
          desc: 'detail line of the memory map: a block',
        }),
  };
}

/** The accessible name of a map: what a person would see at a glance. */
export function mapName(run: MemoryRun, letter: string, where: string, operation: number): string {
  const at = (column: ArrayLike<number>): number => (operation < 0 ? 0 : (column[operation] ?? 0));
  const { tracks } = run;
  const [segments, holes] = [formatNumber(at(tracks.segments)), formatNumber(at(tracks.holes))];
  const [allocated, largest] = [formatBytes(at(tracks.allocated)), formatBytes(at(tracks.largestHole))];
  return msg(
    str`Memory map ${letter} at ${where}: ${segments} segments, ${allocated} allocated, ${holes} holes, largest ${largest}. Arrow keys walk the blocks.`,
    { desc: 'name of the memory map for screen readers' },
  );
}

/** A marker as people read it: programs call their steps `step 16`; other names stay as they are. */
function markerWords(label: string): string {
  const step = /^step (\S+)$/.exec(label)?.[1];
  return step === undefined ? label : msg(str`step ${step}`, { desc: 'place in a program' });
}

/** Where the playhead is: the marker of the program, else the operation. */
export function whereWords(axis: ProgramAxis, position: number): string {
  const marker = axis.markerAt(position);
  if (marker !== undefined) return markerWords(marker.label);
  if (position < 0) return msg('start', { desc: 'playhead: before the first operation' });
  const at = formatNumber(position);
  return axis.runs[0]?.unit === 'event'
    ? msg(str`event ${at}`, { desc: 'playhead: which event' })
    : msg(str`operation ${at}`, { desc: 'playhead: which operation' });
}

/** `A: operation 2,353 of 2,823`. */
export function progressWords(run: MemoryRun, letter: string, operation: number): string {
  const [at, of] = [formatNumber(operation), formatNumber(run.operations)];
  if (run.unit === 'event') {
    return letter === ''
      ? msg(str`event ${at} of ${of}`, { desc: 'transport: how far the run is' })
      : msg(str`${letter}: event ${at} of ${of}`, { desc: 'transport: how far a run is' });
  }
  return letter === ''
    ? msg(str`operation ${at} of ${of}`, { desc: 'transport: how far the run is' })
    : msg(str`${letter}: operation ${at} of ${of}`, { desc: 'transport: how far a run is' });
}

/** One line of the event list. */
export function eventWords(run: MemoryRun, operation: number): string {
  const subject = run.events.subject[operation] ?? -1;
  const block = subject < 0 ? '' : blockName(run, subject);
  const size = formatBytes(run.blocks.size[subject] ?? 0);
  const memory = formatBytes(run.segments.size[subject] ?? 0);
  switch (run.events.kind[operation]) {
    case EVENT.allocate:
      return msg(str`${block}: ${size} allocated`, { desc: 'event list' });
    case EVENT.free:
      return msg(str`${block}: ${size} freed`, { desc: 'event list' });
    case EVENT.completed:
      return msg(str`${block}: ${size} free again`, { desc: 'event list: no stream uses the block any more' });
    case EVENT.outOfMemory: {
      const asked = shortMiB(run.failures.requested[subject] ?? 0);
      return msg(str`out of memory: ${asked} MiB asked for`, { desc: 'event list' });
    }
    case EVENT.marker:
      return markerWords(run.names[run.markers.name[subject] ?? -1] ?? '');
    case EVENT.segmentTaken:
      return msg(str`segment of ${memory} taken from the device`, { desc: 'event list' });
    case EVENT.segmentGiven:
      return msg(str`segment of ${memory} given back`, { desc: 'event list' });
    case EVENT.emptyCache:
      return msg('cache emptied', { desc: 'event list' });
    case EVENT.synchronize:
      return msg('device waited for', { desc: 'event list' });
    default:
      return msg('no change of memory', { desc: 'event list: an operation that moves no memory' });
  }
}

/** A or B where there are two runs. */
export const runLetter = (runs: readonly MemoryRun[], index: number): string =>
  runs.length > 1 ? (['A', 'B'][index] ?? '') : '';

/** The name of a run among the others. */
export function runName(runs: readonly MemoryRun[], index: number): string {
  const letter = runLetter(runs, index);
  const name = runs[index]?.name ?? '';
  return letter === '' ? name : msg(str`${letter}, ${name}`, { desc: 'name of one of two runs' });
}

/** The word under the axis of the tracks. */
export function axisWord({ steps, runs }: Pick<ViewData, 'steps' | 'runs'>): string {
  if (steps?.word === 'step') return msg('step', { desc: 'axis of the tracks' });
  if (steps !== undefined) return steps.word;
  return runs[0]?.unit === 'event'
    ? msg('event', { desc: 'axis of the tracks' })
    : msg('operation', { desc: 'axis of the tracks' });
}
