/**
 * What a measured bandwidth means for training: how long it takes to move a model's weights, gradients and optimiser
 * state through the memory once, beside whether they fit at all. Once is a floor, not a step's time: a step reads the
 * weights at least twice and writes them, and moves activations as well.
 */
export interface ModelSize {
  readonly parameters: number;
  /** Bytes a parameter. Mixed precision with Adam: weights 2, gradients 2, optimiser 8 (two moments in fp32). */
  readonly weights: number;
  readonly gradients: number;
  readonly optimiser: number;
}

export const STREAM_PARTS = ['weights', 'gradients', 'optimiser'] as const;
export type StreamPart = (typeof STREAM_PARTS)[number];

export interface StreamTerm {
  readonly part: StreamPart;
  readonly bytes: number;
  readonly timeNs: number;
}

export interface StreamTime {
  /** Only the parts that take bytes. */
  readonly terms: readonly StreamTerm[];
  readonly bytes: number;
  readonly timeNs: number;
  /** Of a given device: how often the state fits into it, and the time to move all of its memory once. */
  readonly device: { readonly share: number; readonly timeNs: number } | undefined;
}

/** Bytes per nanosecond is exactly decimal GB/s. `capacityBytes` is the device's memory where it is known. */
export function streamTime(model: ModelSize, gbps: number, capacityBytes?: number): StreamTime {
  const terms = STREAM_PARTS.map((part) => {
    const bytes = model.parameters * model[part];
    return { part, bytes, timeNs: bytes / gbps };
  }).filter((term) => term.bytes > 0);
  const bytes = terms.reduce((sum, term) => sum + term.bytes, 0);
  return {
    terms,
    bytes,
    timeNs: bytes / gbps,
    device: capacityBytes === undefined ? undefined : { share: bytes / capacityBytes, timeNs: capacityBytes / gbps },
  };
}
