/** What the keys of a record make it: a trace entry, a block or a segment, as a row of its table. */
import { KIND } from './object-table.js';
import { type PickleState } from './pickle-state.js';
import { ROLE } from './roles.js';

export const bit = (role: number): number => 1 << role;

/** Keys by the kind of their value. */
export const WHOLE_NUMBERS =
  bit(ROLE.addr) |
  bit(ROLE.deviceFree) |
  bit(ROLE.size) |
  bit(ROLE.stream) |
  bit(ROLE.time) |
  bit(ROLE.device) |
  bit(ROLE.address) |
  bit(ROLE.totalSize) |
  bit(ROLE.requestedSize) |
  bit(ROLE.allocatedSize) |
  bit(ROLE.activeSize);
export const TEXTS =
  bit(ROLE.action) | bit(ROLE.state) | bit(ROLE.segmentType) | bit(ROLE.compileContext) | bit(ROLE.userMetadata);
export const POOLS = bit(ROLE.pool) | bit(ROLE.segmentPool);
/** What may be a stack or pair that was met before. */
export const REFERENCES = POOLS | bit(ROLE.frames);
/** What may be None: there is none. */
export const ABSENT = bit(ROLE.frames) | bit(ROLE.pool) | bit(ROLE.compileContext) | bit(ROLE.userMetadata);

const OF_BLOCKS = bit(ROLE.address) | bit(ROLE.size) | bit(ROLE.requestedSize) | bit(ROLE.state) | bit(ROLE.frames);
const OF_EVENTS =
  bit(ROLE.action) |
  bit(ROLE.addr) |
  bit(ROLE.deviceFree) |
  bit(ROLE.size) |
  bit(ROLE.stream) |
  bit(ROLE.time) |
  bit(ROLE.frames) |
  bit(ROLE.compileContext) |
  bit(ROLE.userMetadata) |
  bit(ROLE.pool);
const OF_SEGMENTS =
  bit(ROLE.device) |
  bit(ROLE.address) |
  bit(ROLE.totalSize) |
  bit(ROLE.allocatedSize) |
  bit(ROLE.activeSize) |
  bit(ROLE.requestedSize) |
  bit(ROLE.stream) |
  bit(ROLE.segmentType) |
  bit(ROLE.segmentPool) |
  bit(ROLE.isExpandable) |
  bit(ROLE.frames) |
  bit(ROLE.blocks);
/** Keys that each kind must have. */
const NEEDED_OF_BLOCKS = bit(ROLE.size) | bit(ROLE.state);
const NEEDED_OF_EVENTS = bit(ROLE.size) | bit(ROLE.action);
const NEEDED_OF_SEGMENTS = bit(ROLE.address) | bit(ROLE.totalSize) | bit(ROLE.blocks);

const isOf = (present: number, needed: number, possible: number): boolean =>
  (present & needed) === needed && (present & ~possible) === 0;

/**
 * Makes the container `id` a row, from its values by role, of which it has those that are `present`. False for a
 * dictionary of another kind: nothing has happened.
 */
export function becomeRow(state: PickleState, id: number, present: number, values: Float64Array): boolean {
  const { kinds, payload } = state.objects;
  if (isOf(present, NEEDED_OF_EVENTS, OF_EVENTS)) {
    kinds[id] = KIND.event;
    payload[id] = addEvent(state, present, values);
  } else if (isOf(present, NEEDED_OF_BLOCKS, OF_BLOCKS) && values[ROLE.size]! >= 0) {
    kinds[id] = KIND.block;
    payload[id] = addBlock(state, present, values);
  } else if (isOf(present, NEEDED_OF_SEGMENTS, OF_SEGMENTS)) {
    kinds[id] = KIND.segment;
    payload[id] = addSegment(state, present, values);
  } else return false;
  return true;
}

const valueOf = (values: Float64Array, present: number, role: number, otherwise: number): number =>
  (present & bit(role)) !== 0 ? values[role]! : otherwise;

function addEvent(state: PickleState, present: number, values: Float64Array): number {
  const { events } = state;
  const row = events.add();
  events.action[row] = values[ROLE.action]!;
  events.addr[row] = valueOf(values, present, ROLE.addr, valueOf(values, present, ROLE.deviceFree, NaN));
  events.size[row] = values[ROLE.size]!;
  events.stream[row] = valueOf(values, present, ROLE.stream, 0);
  events.time[row] = valueOf(values, present, ROLE.time, NaN);
  events.stack[row] = valueOf(values, present, ROLE.frames, -1);
  events.metadata[row] = valueOf(values, present, ROLE.userMetadata, -1);
  events.context[row] = valueOf(values, present, ROLE.compileContext, -1);
  events.pool[row] = valueOf(values, present, ROLE.pool, -1);
  return row;
}

function addBlock(state: PickleState, present: number, values: Float64Array): number {
  const { blocks } = state;
  const row = blocks.add();
  blocks.address[row] = valueOf(values, present, ROLE.address, NaN);
  blocks.size[row] = values[ROLE.size]!;
  blocks.requested[row] = valueOf(values, present, ROLE.requestedSize, NaN);
  blocks.state[row] = values[ROLE.state]!;
  blocks.stack[row] = valueOf(values, present, ROLE.frames, -1);
  return row;
}

function addSegment(state: PickleState, present: number, values: Float64Array): number {
  const { segments } = state;
  const row = segments.add();
  segments.address[row] = values[ROLE.address]!;
  segments.size[row] = values[ROLE.totalSize]!;
  segments.allocated[row] = valueOf(values, present, ROLE.allocatedSize, NaN);
  segments.active[row] = valueOf(values, present, ROLE.activeSize, NaN);
  segments.requested[row] = valueOf(values, present, ROLE.requestedSize, NaN);
  segments.device[row] = valueOf(values, present, ROLE.device, 0);
  segments.stream[row] = valueOf(values, present, ROLE.stream, 0);
  segments.type[row] = valueOf(values, present, ROLE.segmentType, -1);
  segments.pool[row] = valueOf(values, present, ROLE.segmentPool, -1);
  segments.expandable[row] = valueOf(values, present, ROLE.isExpandable, -1);
  segments.stack[row] = valueOf(values, present, ROLE.frames, -1);
  segments.blocks[row] = values[ROLE.blocks]!;
  return row;
}
