/** The story of a failure in lines for people: the arithmetic first, then what pins the memory, then what would have helped. */
import { formatNumber } from '../../base/format.js';
import { type FailureStory, type NamedFreeSet } from './failure-story.js';
import { type Pin, type PinnedTensor } from './pins.js';
import { type TensorFact } from './tensor-facts.js';
import { CATEGORY_NAMES } from './trace.js';

/** Segments, tensors and sets of frees that are named; the data have all. */
const MOST_PINS = 5;
const MOST_TENSORS = 3;
const MOST_SETS = 3;

/** Sizes are in MiB unless they are tiny, so that sums can be followed. `pins`: the segments that are partly free. */
export function storyText(story: FailureStory, pins: readonly Pin[]): string[] {
  const { needed, requested, free, holes, largestHole, notReserved, segment } = story;
  const short = (have: number, want: number) => (have >= want ? '' : `, ${sizeText(want - have)} too few`);
  const rounded = needed === requested ? '' : ` (${requested} B, rounded up)`;
  return [
    `why ${nameOf(story.refused)} was refused`,
    `  needed        ${sizeText(needed)} in one piece${rounded}`,
    `  in the cache  ${sizeText(free)} free in ${count(holes, 'piece')}; the largest has ${sizeText(largestHole)}${short(largestHole, needed)}`,
    segment === undefined
      ? `  not reserved  ${sizeText(notReserved)}${short(notReserved, needed)}`
      : `  not reserved  ${sizeText(notReserved)}${short(notReserved, segment)} for a new segment of ${sizeText(segment)}`,
    `  so            ${conclusion(story)}`,
    '',
    ...oldCopyText(story),
    ...pinText(story, pins),
    ...freesText(story),
  ];
}

function conclusion({ kind, needed, segment, free, largestHole, notReserved }: FailureStory): string {
  const together = free + notReserved;
  switch (kind) {
    case 'true-shortage':
      return `true shortage: all free memory together, ${sizeText(together)}, is ${sizeText(needed - together)} short`;
    case 'limit':
      return 'a limit: the device has room, but a memory fraction or limit keeps the allocator from taking it';
    case 'segment':
      return (
        `the step of segments: ${sizeText(needed)} would fit into the ${sizeText(notReserved)} that are left, but the allocator ` +
        `takes ${sizeText(segment ?? needed)} at once`
      );
    case 'unused-hole':
      return 'a free block is large enough, but it may not serve this request: another pool or stream, or a limit';
    case 'fragmentation':
      return (
        `fragmentation: ${sizeText(together)} are free together, but no piece is large enough ` +
        (free === 0 ? '' : `(external ${(1 - largestHole / free).toFixed(3)} = 1 - largest / free)`)
      ).trimEnd();
  }
}

const mib = (size: number): string => `${formatNumber(size / 2 ** 20, 1)} MiB`;

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;

const nameOf = ({ id, label }: TensorFact): string => (label === '' ? `tensor ${id}` : `tensor ${id} (${label})`);

function oldCopyText({ refused, oldCopy }: FailureStory): string[] {
  if (oldCopy === undefined) return [];
  return [`${nameOf(refused)} was asked for while ${nameOf(oldCopy)}, ${mib(oldCopy.size)}, was still live.`];
}

function pinText({ mostlyEmpty }: FailureStory, pins: readonly Pin[]): string[] {
  if (pins.length === 0) return [];
  const shown = pins.slice(0, MOST_PINS);
  const free = pins.reduce((sum, pin) => sum + pin.free, 0);
  const rest = pins.length - shown.length;
  const empty = mostlyEmpty === 0 ? '' : `; more than half free: ${mostlyEmpty}`;
  return [
    `${count(pins.length, 'segment')} with ${mib(free)} free cannot be given back, because tensors live in them${empty}:`,
    ...shown.map((pin) => `  ${mib(pin.free)} free of ${mib(pin.size)}, kept by ${keepers(pin.tensors)}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

function keepers(tensors: readonly PinnedTensor[]): string {
  if (tensors.length === 0) return 'blocks that wait for a stream';
  const names = tensors.slice(0, MOST_TENSORS).map((tensor) => {
    const category = CATEGORY_NAMES[tensor.category];
    const kind = tensor.label !== '' ? tensor.label : category === 'unknown' ? undefined : category;
    return `tensor ${tensor.id}${kind === undefined ? '' : ` (${kind})`} of ${sizeText(tensor.size)}`;
  });
  const rest = tensors.length - names.length;
  return `${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** What would read as 0.0 MiB, in a smaller unit. */
const sizeText = (size: number): string =>
  size >= 2 ** 20 / 10 ? mib(size) : size >= 1024 ? `${formatNumber(size / 1024, 1)} KiB` : `${size} B`;

function freesText({ frees, notReserved }: FailureStory): string[] {
  if (frees === undefined) return [];
  const [first] = frees;
  if (first === undefined) return ['No set of up to 3 frees makes room.'];
  const size = first.blocks.length;
  const head = size === 1 ? 'One free would have been enough' : `${size} frees would have been enough`;
  const more = frees.length > MOST_SETS ? ` (${frees.length} ways, the cheapest first)` : '';
  return [`${head}${more}:`, ...frees.slice(0, MOST_SETS).map((set) => `  ${freeSetText(set, notReserved)}`)];
}

function freeSetText({ kind, tensors, bytes, segments, room, needed }: NamedFreeSet, notReserved: number): string {
  const names = tensors.map(nameOf).join(', ');
  const enough = `${mib(room)} >= ${mib(needed)}`;
  if (kind === 'join') return `${names}, ${mib(bytes)}: joins its neighbours to ${enough}`;
  const given = segments.map(mib).join(' + ');
  return `${names}, ${mib(bytes)}: gives back ${given}: ${mib(notReserved)} + ${given} = ${enough}`;
}
