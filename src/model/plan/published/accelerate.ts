/**
 * `accelerate estimate-memory` of Hugging Face: the size of a model in each data type, its largest module, and training
 * with Adam at four times the size. It counts buffers (such as a table of position numbers) with the parameters.
 */
export interface AccelerateRow {
  readonly type: 'float32' | 'float16' | 'int8' | 'int4';
  readonly largestLayer: number;
  readonly total: number;
  readonly training: number;
}

const BYTES = { float32: 4, float16: 2, int8: 1, int4: 0.5 } as const;

/** Rows for the four types. `buffers` are bytes that are not parameters, at float32. */
export function accelerateRows(parameters: number, largestLayer: number, buffers = 0): AccelerateRow[] {
  return (['float32', 'float16', 'int8', 'int4'] as const).map((type) => {
    const bytes = BYTES[type];
    const total = parameters * bytes + (buffers * bytes) / 4;
    return { type, largestLayer: largestLayer * bytes, total, training: 4 * total };
  });
}

/** A size as the tool prints it: binary steps, two decimals, trailing zeros dropped. */
export function accelerateSize(size: number): string {
  let left = size;
  for (const unit of ['bytes', 'KB', 'MB', 'GB', 'TB']) {
    if (left < 1024) return `${Math.round(left * 100) / 100} ${unit}`;
    left /= 1024;
  }
  return `${Math.round(left * 100) / 100} PB`;
}
