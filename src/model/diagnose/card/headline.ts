/** What a verdict says first: the strongest true thing, as a tag with its figures. A screen has the words. */
import { type Diagnosis } from '../diagnosis.js';
import { cachedOf, isSnapshotDiagnosis, outsideBytes, sizeFact } from './sums.js';

export type Headline =
  /** Enough is free, in pieces. `pieces` is undefined where the text does not count them. */
  | { readonly kind: 'in-pieces'; readonly asked: number; readonly free: number; readonly pieces: number | undefined }
  | { readonly kind: 'too-little'; readonly asked: number; readonly free: number; readonly short: number }
  | { readonly kind: 'larger-than-device'; readonly asked: number; readonly capacity: number }
  | { readonly kind: 'limit'; readonly asked: number; readonly limit: number | undefined }
  | { readonly kind: 'others'; readonly outside: number; readonly capacity: number }
  | { readonly kind: 'not-the-cache'; readonly asked: number; readonly free: number }
  | { readonly kind: 'no-failure'; readonly cached: number; readonly reserved: number }
  /** The figures do not say it: the reasons are all there is. */
  | { readonly kind: 'reasons' };

const REASONS: Headline = { kind: 'reasons' };

/** The headline that the figures of a diagnosis allow. */
export function headlineOf(diagnosis: Diagnosis): Headline {
  return isSnapshotDiagnosis(diagnosis) || diagnosis.kind === 'oom-text'
    ? failureHeadline(diagnosis)
    : summaryHeadline(diagnosis);
}

function summaryHeadline(diagnosis: Diagnosis): Headline {
  const cached = sizeFact(diagnosis, 'inactive_bytes');
  const reserved = sizeFact(diagnosis, 'reserved_bytes');
  return cached === undefined || reserved === undefined ? REASONS : { kind: 'no-failure', cached, reserved };
}

function failureHeadline(diagnosis: Diagnosis): Headline {
  const { asked, cached, free, pieces, capacity } = figuresOf(diagnosis);
  if (asked === undefined) return isSnapshotDiagnosis(diagnosis) ? summaryHeadline(diagnosis) : REASONS;
  const total = cached === undefined && free === undefined ? undefined : (cached ?? 0) + (free ?? 0);
  switch (diagnosis.verdict) {
    case 'fragmentation':
      return total === undefined ? REASONS : { kind: 'in-pieces', asked, free: total, pieces };
    case 'true-shortage':
      if (capacity !== undefined && asked > capacity) return { kind: 'larger-than-device', asked, capacity };
      // Where the figures would allow the request the reason lies elsewhere (a limit of the framework's own).
      return total === undefined || total >= asked
        ? REASONS
        : { kind: 'too-little', asked, free: total, short: asked - total };
    case 'limit-set':
      return { kind: 'limit', asked, limit: sizeFact(diagnosis, 'allowed_bytes') };
    case 'other-process': {
      const outside = outsideBytes(diagnosis);
      return outside === undefined || capacity === undefined ? REASONS : { kind: 'others', outside, capacity };
    }
    case 'unknown':
      return free !== undefined && free >= asked ? { kind: 'not-the-cache', asked, free } : REASONS;
  }
}

interface HeadFigures {
  readonly asked: number | undefined;
  readonly cached: number | undefined;
  readonly free: number | undefined;
  readonly pieces: number | undefined;
  readonly capacity: number | undefined;
}

function figuresOf(diagnosis: Diagnosis): HeadFigures {
  const failure = isSnapshotDiagnosis(diagnosis) ? diagnosis.oom_state.at(-1) : undefined;
  if (failure === undefined) {
    return {
      asked: sizeFact(diagnosis, 'tried_bytes'),
      cached: cachedOf(diagnosis),
      free: sizeFact(diagnosis, 'free_bytes'),
      pieces: undefined,
      capacity: sizeFact(diagnosis, 'capacity_bytes'),
    };
  }
  const { device_free_bytes: free } = failure;
  return {
    asked: failure.tried_bytes,
    cached: failure.inactive_bytes,
    free: Number.isNaN(free) ? undefined : free,
    // What the device has not given out yet is one more piece.
    pieces: failure.inactive_blocks + (free > 0 ? 1 : 0),
    capacity: undefined,
  };
}

/** Memory outside the process is a cause of its own from this share of the device on. */
const SECOND_CAUSE = 0.1;

/** Whether memory outside this process is a second cause beside a fragmented or full cache. */
export function hasTwoCauses(diagnosis: Diagnosis): boolean {
  if (diagnosis.verdict !== 'fragmentation' && diagnosis.verdict !== 'true-shortage') return false;
  const capacity = sizeFact(diagnosis, 'capacity_bytes');
  const outside = outsideBytes(diagnosis);
  return capacity !== undefined && outside !== undefined && outside >= SECOND_CAUSE * capacity;
}
