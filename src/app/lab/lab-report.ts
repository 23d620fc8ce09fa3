/** Both sides of the Lab as one file: what `vramlab replay --json` says of each, what was tried, and the GPU's word. */
import * as v from 'valibot';
import { name as toolName, version } from '../../../package.json';
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { whyOf } from '../../model/lab/why.js';
import { type FitsProgress, type SideState } from './lab-state.js';
import { type RealSide } from './real-state.js';

export const LAB_REPORT_SCHEMA = 'vramlab-lab';
const VERSION = 1;

interface LabReportParts {
  /** What `vramlab replay --json` says. */
  readonly sides: readonly [Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>];
  /** What the screen shows. */
  readonly shown: readonly [SideState, SideState];
  readonly fits: FitsProgress | undefined;
  readonly real: readonly [RealSide, RealSide];
  /** The link that shows the same view. */
  readonly link: string;
  /** When it is made, as ISO 8601. */
  readonly createdAt: string;
}

/** The object of the file. Sizes are bytes, times ns; `why` has the figures of the sentences on the screen. */
export function labReportOf({ sides, shown, fits, real, link, createdAt }: LabReportParts): Record<string, unknown> {
  const remedies = (side: number) =>
    fits?.side === side ? { remedies: fits.rows, remedies_complete: fits.phase === 'done' } : {};
  const gpu = (side: RealSide) => {
    if (side.kind === 'done') return { real_buffers: side.facts, adapter: side.adapter };
    return side.kind === 'none' ? { real_buffers: null, real_buffers_reason: side.words } : {};
  };
  const why = (side: SideState) =>
    side.kind === 'done' && side.result.failure !== undefined ? { why: whyOf(side.result.failure) } : {};
  return {
    schema: LAB_REPORT_SCHEMA,
    version: VERSION,
    tool: { name: toolName, version },
    created_at: createdAt,
    link,
    a: { ...sides[0], ...why(shown[0]), ...remedies(0), ...gpu(real[0]) },
    b: { ...sides[1], ...why(shown[1]), ...remedies(1), ...gpu(real[1]) },
  };
}

const head = v.object({ schema: v.literal(LAB_REPORT_SCHEMA), version: v.number(), link: v.string() });

/**
 * The link of a report, so that it can be opened again; undefined for a file of another kind.
 * Throws `AppError` (`bad-input`) for a newer version.
 */
export function linkOfReport(text: string, name: string): string | undefined {
  if (!text.includes(`"${LAB_REPORT_SCHEMA}"`)) return undefined;
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), head), text);
  if (!read.success) return undefined;
  if (read.output.version > VERSION) {
    throw badInput(
      name,
      say`${name}: this report is of version ${read.output.version}; this page reads up to ${VERSION}`,
    );
  }
  return read.output.link;
}
