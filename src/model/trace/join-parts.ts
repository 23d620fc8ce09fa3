/** The parts of a streamed trace as one trace, for whoever needs the whole program at once. */
import { type PlacementColumns, type Trace } from './trace.js';

/** Parts are in order, as a `TraceReader` hands them out. An empty list is an empty trace. */
export function joinParts(parts: readonly Trace[]): Trace {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const kind = new Uint8Array(length);
  const tensor = new Int32Array(length);
  const size = new Float64Array(length);
  const stream = new Int32Array(length);
  const category = parts.some((part) => part.category !== undefined) ? new Uint8Array(length) : undefined;
  const text = parts.some((part) => part.text !== undefined) ? new Int32Array(length).fill(-1) : undefined;
  const ids = new Float64Array(parts.reduce((sum, part) => sum + part.ids.length, 0));
  const texts: string[] = [];
  let at = 0;
  let idAt = 0;
  for (const part of parts) {
    kind.set(part.kind, at);
    tensor.set(part.tensor, at);
    size.set(part.size, at);
    stream.set(part.stream, at);
    if (part.category !== undefined) category?.set(part.category, at);
    if (part.text !== undefined) {
      const before = texts.length;
      text?.set(
        part.text.map((number) => (number === -1 ? -1 : number + before)),
        at,
      );
      texts.push(...part.texts);
    }
    ids.set(part.ids, idAt);
    at += part.length;
    idAt += part.ids.length;
  }
  return {
    name: first?.name ?? '',
    length,
    kind,
    tensor,
    size,
    stream,
    category,
    text,
    texts,
    placement: joinPlacement(parts, length),
    firstTensor: first?.firstTensor ?? 0,
    ids,
    meta: first?.meta ?? {},
  };
}

function joinPlacement(parts: readonly Trace[], length: number): PlacementColumns | undefined {
  if (!parts.some((part) => part.placement !== undefined)) return undefined;
  const joined = {
    alignment: new Float64Array(length),
    freedBefore: new Float64Array(length),
    upperEnd: new Uint8Array(length),
  };
  let at = 0;
  for (const { length: partLength, placement } of parts) {
    if (placement !== undefined) {
      joined.alignment.set(placement.alignment, at);
      joined.freedBefore.set(placement.freedBefore, at);
      joined.upperEnd.set(placement.upperEnd, at);
    }
    at += partLength;
  }
  return joined;
}
