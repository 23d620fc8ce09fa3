/** Writes a trace as a `vramlab-trace` file, version 1 (DESIGN section 5), in pieces: a long one is never one string. */
import { TRACE_SCHEMA, TRACE_VERSION } from './trace-header.js';
import { CATEGORY, CATEGORY_NAMES, idOf, OPERATION, type Trace } from './trace.js';

/** Operations in one piece of text. */
const PIECE = 8192;

/**
 * The text of the file. Reading it back gives the same operations. Throws an `Error` for operations that only golden
 * dialects of BFC have: a `vramlab-trace` file has no form for them.
 */
export function* writeTrace(trace: Trace): Generator<string> {
  const head = JSON.stringify({ schema: TRACE_SCHEMA, version: TRACE_VERSION, name: trace.name });
  yield `${head.slice(0, -1)},"ops":[`;
  for (let from = 0; from < trace.length; from += PIECE) {
    const lines: string[] = [];
    const to = Math.min(from + PIECE, trace.length);
    for (let i = from; i < to; i++) lines.push(JSON.stringify(operationAt(trace, i)));
    yield `${from === 0 ? '' : ','}\n${lines.join(',\n')}`;
  }
  yield `\n],"meta":${JSON.stringify(trace.meta)}}\n`;
}

const LETTERS: ReadonlyMap<number, string> = new Map<number, string>([
  [OPERATION.emptyCache, 'e'],
  [OPERATION.snapshot, 's'],
  [OPERATION.resetPeakStats, 'p'],
  [OPERATION.resetAccumulatedStats, 'z'],
  [OPERATION.setMemoryFraction, 'F'],
  [OPERATION.beginPool, 'B'],
  [OPERATION.endPool, 'E'],
  [OPERATION.releasePool, 'R'],
]);
const NUMBERED = new Set<number>([
  OPERATION.setMemoryFraction,
  OPERATION.beginPool,
  OPERATION.endPool,
  OPERATION.releasePool,
]);

function operationAt(trace: Trace, i: number): (string | number)[] {
  const kind = trace.kind[i]!;
  const id = idOf(trace, trace.tensor[i]!);
  const stream = trace.stream[i]!;
  const text = trace.texts[trace.text?.[i] ?? -1];
  switch (kind) {
    case OPERATION.allocate:
      return allocation(trace, i, id, text);
    case OPERATION.free:
      return ['f', id];
    case OPERATION.recordStream:
      return ['r', id, stream];
    case OPERATION.synchronize:
      return stream === -1 ? ['y'] : ['y', stream];
    case OPERATION.marker:
      return ['m', text ?? ''];
    case OPERATION.setSettings:
      return ['C', text ?? ''];
    default: {
      const letter = LETTERS.get(kind);
      if (letter === undefined) throw new Error(`operation ${i}: a ${TRACE_SCHEMA} file has no form for kind ${kind}`);
      return NUMBERED.has(kind) ? [letter, trace.size[i]!] : [letter];
    }
  }
}

function allocation(trace: Trace, i: number, id: number, label: string | undefined): (string | number)[] {
  const category = trace.category?.[i] ?? CATEGORY.unknown;
  const plain = ['a', id, trace.size[i]!, trace.stream[i]!];
  if (category === CATEGORY.unknown && label === undefined) return plain;
  return [...plain, CATEGORY_NAMES[category] ?? 'unknown', ...(label === undefined ? [] : [label])];
}
