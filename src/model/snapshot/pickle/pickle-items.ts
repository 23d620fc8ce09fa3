/**
 * How containers get their items: a dictionary of name, filename and line becomes a frame, one with an action a row of
 * the event columns, a list of frames a call stack; everything else keeps its items in the arena.
 */
import { KIND, TAG } from './object-table.js';
import { addressOf } from './pickle-numbers.js';
import { LONGEST_CALL_STACK, type PickleState } from './pickle-state.js';
import { ROLE } from './roles.js';
import { stackHash } from './stack-table.js';

/** An event has about ten keys: a longer dictionary is not one. */
export const MOST_EVENT_KEYS = 24;

/** The dictionary below `from` takes the keys and values from there to `to`. */
export function setItems(state: PickleState, from: number, to: number, start: number): void {
  const id = target(state, from, KIND.dict, 'SETITEMS', 'a dictionary', start);
  if ((to - from) % 2 !== 0) throw state.bad(start, 'SETITEMS has a key without a value');
  if (to === from) return;
  const objects = state.objects;
  // One pair alone is how protocol 0 builds every dictionary: what it will be is not known yet.
  if (objects.lengths[id] === 0 && to - from > 2 && to - from <= 2 * MOST_EVENT_KEYS) {
    if (asFrame(state, id, from, to) || asEvent(state, id, from, to)) return;
  }
  checkKeys(state, from, to, start);
  objects.append(id, state.tags, state.values, from, to);
}

export function checkKeys(state: PickleState, from: number, to: number, start: number): void {
  for (let i = from; i < to; i += 2) {
    const tag = state.tags[i]!;
    const kind = tag === TAG.object ? state.objects.kinds[state.values[i]!]! : -1;
    if (kind !== -1 && kind !== KIND.tuple && kind !== KIND.pair) {
      throw state.bad(start, 'a dictionary key is a list, set or dictionary');
    }
  }
}

/** A dictionary of name, filename and line (and nothing that is not understood) is a frame. */
export function asFrame(state: PickleState, id: number, from: number, to: number): boolean {
  if (to - from !== 6) return false;
  const tags = state.tags;
  const values = state.values;
  const roles = state.strings.roles;
  let name = -1;
  let file = -1;
  let line = NaN;
  for (let i = from; i < to; i += 2) {
    if (tags[i] !== TAG.string) return false;
    const role = roles[values[i]!]!;
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

/** A dictionary with an action and a size is an entry of a trace. */
export function asEvent(state: PickleState, id: number, from: number, to: number): boolean {
  const tags = state.tags;
  const values = state.values;
  const roles = state.strings.roles;
  let isEvent = false;
  for (let i = from; i < to; i += 2) {
    if (tags[i] !== TAG.string) return false;
    if (roles[values[i]!] === ROLE.action) isEvent = tags[i + 1] === TAG.string;
  }
  if (!isEvent) return false;
  const { events } = state;
  const row = events.add();
  for (let i = from; i < to; i += 2) {
    if (!setField(state, row, roles[values[i]!]!, tags[i + 1]!, values[i + 1]!)) {
      events.count = row;
      return false;
    }
  }
  state.objects.kinds[id] = KIND.event;
  state.objects.payload[id] = row;
  return true;
}

/** One field of an event; false where the value is not of its kind, and the dictionary stays a plain one. */
export function setField(state: PickleState, row: number, role: number, tag: number, value: number): boolean {
  const { events } = state;
  switch (role) {
    case ROLE.action:
      events.action[row] = value;
      return tag === TAG.string;
    case ROLE.addr:
    case ROLE.deviceFree: {
      const address = tag === TAG.big ? addressOf(state.bigs[value]!) : value;
      if (address === undefined || (tag !== TAG.integer && tag !== TAG.big)) return false;
      events.addr[row] = address;
      return true;
    }
    case ROLE.size:
      events.size[row] = value;
      return tag === TAG.integer;
    case ROLE.stream: {
      const stream = tag === TAG.big ? addressOf(state.bigs[value]!) : value;
      if (stream === undefined || (tag !== TAG.integer && tag !== TAG.big)) return false;
      events.stream[row] = stream;
      return true;
    }
    case ROLE.time:
      events.time[row] = value;
      return tag === TAG.integer || tag === TAG.float;
    case ROLE.frames: {
      if (tag !== TAG.object) return tag === TAG.none;
      const kind = state.objects.kinds[value];
      if (kind === KIND.stack) events.stack[row] = state.objects.payload[value]!;
      return kind === KIND.stack || (kind === KIND.list && state.objects.lengths[value] === 0);
    }
    case ROLE.pool:
      if (tag !== TAG.object) return tag === TAG.none;
      events.pool[row] = state.objects.payload[value]!;
      return state.objects.kinds[value] === KIND.pair;
    case ROLE.compileContext:
      if (tag === TAG.string) events.context[row] = value;
      return tag === TAG.string || tag === TAG.none;
    case ROLE.userMetadata:
      if (tag === TAG.string) events.metadata[row] = value;
      return tag === TAG.string || tag === TAG.none;
    default:
      return true;
  }
}

/** The list below `from` takes the values from there to `to`; frames alone make it a call stack. */
export function appendItems(state: PickleState, from: number, to: number, start: number): void {
  if (from === 0 || state.tags[from - 1] !== TAG.object) throw state.bad(start, 'APPENDS has no list to append to');
  const id = state.values[from - 1]!;
  const kind = state.objects.kinds[id];
  if (kind === KIND.stack) lengthenCallStack(state, id, from, to, start);
  else if (kind !== KIND.list) throw state.bad(start, 'APPENDS has no list to append to');
  else if (state.objects.lengths[id] !== 0 || !asCallStack(state, id, from, to)) {
    state.objects.append(id, state.tags, state.values, from, to);
  }
}

export function asCallStack(state: PickleState, id: number, from: number, to: number): boolean {
  const count = to - from;
  if (count === 0 || count > LONGEST_CALL_STACK) return false;
  for (let i = 0; i < count; i++) {
    if (state.tags[from + i] !== TAG.object) return false;
    const frame = state.values[from + i]!;
    if (state.objects.kinds[frame] !== KIND.frame) return false;
    state.scratch[i] = state.objects.payload[frame]!;
  }
  state.objects.kinds[id] = KIND.stack;
  state.objects.payload[id] = state.stacks.internStack(state.scratch, count, stackHash(state.scratch, count));
  return true;
}

export function lengthenCallStack(state: PickleState, id: number, from: number, to: number, start: number): void {
  const known = state.stacks.framesOf(state.objects.payload[id]!);
  const count = known.length + to - from;
  if (count > 16 * LONGEST_CALL_STACK) throw state.bad(start, `a call stack of ${count} frames`);
  const frames = new Int32Array(count);
  frames.set(known);
  for (let i = from; i < to; i++) {
    const frame = state.values[i]!;
    if (state.tags[i] !== TAG.object || state.objects.kinds[frame] !== KIND.frame) {
      throw state.bad(start, 'a call stack holds something that is no frame');
    }
    frames[known.length + i - from] = state.objects.payload[frame]!;
  }
  state.objects.payload[id] = state.stacks.internStack(frames, count, stackHash(frames, count));
}

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
    const is = state.objects.kinds[id];
    if (is === kind) return id;
    if (kind === KIND.dict && (is === KIND.frame || is === KIND.event)) {
      throw state.bad(start, 'a dictionary of a frame or trace entry gets more items later; no snapshot does that');
    }
  }
  throw state.bad(start, `${opcode} has no ${what.replace(/^an? /, '')} to add to`);
}
