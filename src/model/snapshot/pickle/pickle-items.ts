/**
 * How containers get their items: a dictionary of name, filename and line becomes a frame, one with an action a row of
 * the event columns, a list of frames a call stack; everything else keeps its items in the arena.
 */
import { say } from '../../../base/said.js';
import { KIND, TAG } from './object-table.js';
import { addressOf } from './pickle-numbers.js';
import { type PickleState } from './pickle-state.js';
import { ROLE } from './roles.js';
import { stackHash } from './stack-table.js';
import { LONGEST_CALL_STACK } from './workbench.js';

/** An event has about ten keys: a longer dictionary is not one. */
export const MOST_EVENT_KEYS = 24;

/** The dictionary below `from` takes the keys and values from there to `to`. */
export function setItems(state: PickleState, from: number, to: number, start: number): void {
  const id = target(state, from, KIND.dict, 'SETITEMS', 'a dictionary', start);
  if ((to - from) % 2 !== 0) throw state.bad(start, say`SETITEMS has a key without a value`);
  if (to === from) return;
  const objects = state.objects;
  // One pair alone is how protocol 0 builds every dictionary: what it will be is not known yet.
  if (objects.lengths[id] === 0 && to - from > 2 && to - from <= 2 * MOST_EVENT_KEYS) {
    const done = beginsBlock(state, from)
      ? asBlock(state, id, from, to)
      : asFrame(state, id, from, to) || asEvent(state, id, from, to);
    if (done) return;
  }
  checkKeys(state, from, to, start);
  objects.append(id, state.tags, state.values, from, to);
}

/** Blocks and segments, the other large tables of a snapshot, begin with one of these keys; no frame or event does. */
function beginsBlock(state: PickleState, from: number): boolean {
  if (state.tags[from] !== TAG.string) return false;
  const role = state.strings.role(state.values[from]!);
  return role === ROLE.address || role === ROLE.device || role === ROLE.size;
}

export function checkKeys(state: PickleState, from: number, to: number, start: number): void {
  const { tags } = state;
  for (let i = from; i < to; i += 2) {
    if (tags[i] !== TAG.object) continue;
    const kind = state.objects.kinds[state.values[i]!]!;
    if (kind !== KIND.tuple && kind !== KIND.pair) {
      throw state.bad(start, say`a dictionary key is a list, set or dictionary`);
    }
  }
}

/** A dictionary of name, filename and line (and nothing that is not understood) is a frame. */
export function asFrame(state: PickleState, id: number, from: number, to: number): boolean {
  if (to - from !== 6) return false;
  const tags = state.tags;
  const values = state.values;
  const { strings } = state;
  let name = -1;
  let file = -1;
  let line = NaN;
  for (let i = from; i < to; i += 2) {
    if (tags[i] !== TAG.string) return false;
    const role = strings.role(values[i]!);
    const tag = tags[i + 1]!;
    const value = values[i + 1]!;
    if (role === ROLE.name && tag === TAG.string) name = value;
    else if (role === ROLE.filename && tag === TAG.string) file = value;
    else if (role === ROLE.line && tag === TAG.integer) line = value;
    else return false;
  }
  if (name === -1 || file === -1 || (line | 0) !== line) return false;
  state.objects.kinds[id] = KIND.frame;
  state.objects.payload[id] = state.stacks.internFrame(name, file, line);
  return true;
}

/** A dictionary with an action is an entry of a trace, unless one of its values is not of its kind. */
export function asEvent(state: PickleState, id: number, from: number, to: number): boolean {
  const { tags, values, strings, events } = state;
  let action = -1;
  let addr = NaN;
  let size = NaN;
  let stream = 0;
  let time = NaN;
  let stack = -1;
  let metadata = -1;
  let context = -1;
  let pool = -1;
  for (let i = from; i < to; i += 2) {
    if (tags[i] !== TAG.string) return false;
    const tag = tags[i + 1]!;
    const value = values[i + 1]!;
    switch (strings.role(values[i]!)) {
      case ROLE.action:
        if (tag !== TAG.string) return false;
        action = value;
        break;
      case ROLE.addr:
      case ROLE.deviceFree:
        addr = tag === TAG.integer ? value : wideInteger(state, tag, value);
        if (Number.isNaN(addr)) return false;
        break;
      case ROLE.size:
        if (tag !== TAG.integer) return false;
        size = value;
        break;
      case ROLE.stream:
        stream = tag === TAG.integer ? value : wideInteger(state, tag, value);
        if (Number.isNaN(stream)) return false;
        break;
      case ROLE.time:
        if (tag !== TAG.integer && tag !== TAG.float) return false;
        time = value;
        break;
      case ROLE.frames: {
        if (tag === TAG.none) break;
        const kind = tag === TAG.object ? state.objects.kinds[value]! : -1;
        if (kind === KIND.stack) stack = state.objects.payload[value]!;
        else if (kind !== KIND.list || state.objects.lengths[value] !== 0) return false;
        break;
      }
      case ROLE.pool:
        if (tag === TAG.none) break;
        if (tag !== TAG.object || state.objects.kinds[value] !== KIND.pair) return false;
        pool = state.objects.payload[value]!;
        break;
      case ROLE.compileContext:
        if (tag !== TAG.string && tag !== TAG.none) return false;
        if (tag === TAG.string) context = value;
        break;
      case ROLE.userMetadata:
        if (tag !== TAG.string && tag !== TAG.none) return false;
        if (tag === TAG.string) metadata = value;
        break;
      default:
    }
  }
  if (action === -1) return false;
  const row = events.add();
  events.action[row] = action;
  events.addr[row] = addr;
  events.size[row] = size;
  events.stream[row] = stream;
  events.time[row] = time;
  events.stack[row] = stack;
  events.metadata[row] = metadata;
  events.context[row] = context;
  events.pool[row] = pool;
  state.objects.kinds[id] = KIND.event;
  state.objects.payload[id] = row;
  return true;
}

/** A dictionary with a size, a state and nothing that is not understood is a block of a segment. */
export function asBlock(state: PickleState, id: number, from: number, to: number): boolean {
  const { tags, values, strings, blocks } = state;
  let address = NaN;
  let size = NaN;
  let requested = NaN;
  let text = -1;
  let stack = -1;
  for (let i = from; i < to; i += 2) {
    if (tags[i] !== TAG.string) return false;
    const tag = tags[i + 1]!;
    const value = values[i + 1]!;
    switch (strings.role(values[i]!)) {
      case ROLE.address:
        address = tag === TAG.integer ? value : wideInteger(state, tag, value);
        if (Number.isNaN(address)) return false;
        break;
      case ROLE.size:
        if (tag !== TAG.integer) return false;
        size = value;
        break;
      case ROLE.requestedSize:
        if (tag !== TAG.integer) return false;
        requested = value;
        break;
      case ROLE.state:
        if (tag !== TAG.string) return false;
        text = value;
        break;
      case ROLE.frames: {
        const kind = tag === TAG.object ? state.objects.kinds[value]! : -1;
        if (kind === KIND.stack) stack = state.objects.payload[value]!;
        else if (kind !== KIND.list || state.objects.lengths[value] !== 0) return false;
        break;
      }
      default:
        return false;
    }
  }
  if (!(size >= 0) || text === -1) return false;
  const row = blocks.add();
  blocks.address[row] = address;
  blocks.size[row] = size;
  blocks.requested[row] = requested;
  blocks.state[row] = text;
  blocks.stack[row] = stack;
  state.objects.kinds[id] = KIND.block;
  state.objects.payload[id] = row;
  return true;
}

/** An address of the upper half of 64 bits; NaN for anything else. */
function wideInteger(state: PickleState, tag: number, value: number): number {
  return tag === TAG.big ? (addressOf(state.bigs[value]!) ?? NaN) : NaN;
}

/** The list below `from` takes the values from there to `to`; frames alone make it a call stack. */
export function appendItems(state: PickleState, from: number, to: number, start: number): void {
  if (from === 0 || state.tags[from - 1] !== TAG.object) throw state.bad(start, say`APPENDS has no list to append to`);
  const id = state.values[from - 1]!;
  const kind = state.objects.kinds[id];
  if (kind === KIND.stack) lengthenCallStack(state, id, from, to, start);
  else if (kind !== KIND.list) throw state.bad(start, say`APPENDS has no list to append to`);
  else if (state.objects.lengths[id] !== 0 || !asCallStack(state, id, from, to)) {
    state.objects.append(id, state.tags, state.values, from, to);
  }
}

export function asCallStack(state: PickleState, id: number, from: number, to: number): boolean {
  const count = to - from;
  if (count === 0 || count > LONGEST_CALL_STACK) return false;
  const { tags, values, scratch } = state;
  const { kinds, payload } = state.objects;
  for (let i = 0; i < count; i++) {
    if (tags[from + i] !== TAG.object) return false;
    const frame = values[from + i]!;
    if (kinds[frame] !== KIND.frame) return false;
    scratch[i] = payload[frame]!;
  }
  kinds[id] = KIND.stack;
  payload[id] = state.stacks.internStack(scratch, count, stackHash(scratch, count));
  return true;
}

export function lengthenCallStack(state: PickleState, id: number, from: number, to: number, start: number): void {
  const known = state.stacks.framesOf(state.objects.payload[id]!);
  const count = known.length + to - from;
  if (count > 16 * LONGEST_CALL_STACK) throw state.bad(start, say`a call stack of ${count} frames`);
  const frames = new Int32Array(count);
  frames.set(known);
  for (let i = from; i < to; i++) {
    const frame = state.values[i]!;
    if (state.tags[i] !== TAG.object || state.objects.kinds[frame] !== KIND.frame) {
      throw state.bad(start, say`a call stack holds something that is no frame`);
    }
    frames[known.length + i - from] = state.objects.payload[frame]!;
  }
  state.objects.payload[id] = state.stacks.internStack(frames, count, stackHash(frames, count));
}

const isRow = (kind: number): boolean =>
  kind === KIND.frame || kind === KIND.event || kind === KIND.block || kind === KIND.segment;

/** The container below `from`. */
export function target(
  state: PickleState,
  from: number,
  kind: number,
  opcode: string,
  what: string,
  start: number,
): number {
  if (from > 0 && state.tags[from - 1] === TAG.object) {
    const id = state.values[from - 1]!;
    const is = state.objects.kinds[id]!;
    if (is === kind) return id;
    if (kind === KIND.dict && isRow(is)) {
      throw state.bad(
        start,
        say`a dictionary of a block, segment, frame or trace entry gets more items later; no snapshot does that`,
      );
    }
  }
  throw state.bad(start, say`${opcode} has no ${what.replace(/^an? /, '')} to add to`);
}
