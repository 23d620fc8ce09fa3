/** `vramlab replay --allocator all`: one table over the allocators that there are. */
import { badInput } from '../base/errors.js';
import { compareAllocators, comparisonJson } from '../model/allocator/comparison.js';
import { comparisonText } from '../model/allocator/comparison-text.js';
import { writeResult } from './output.js';
import { capacityOf, type ReplaySetup, wholeTrace } from './replay-setup.js';
import { type TraceFile } from './trace-file.js';

export interface ReplayAllOptions extends ReplaySetup {
  readonly events?: string;
  readonly summary?: boolean;
  readonly snapshot?: string;
  readonly json?: boolean;
}

/** Options that mean one allocator. */
const SINGLE = ['conf', 'events', 'summary', 'snapshot'] as const;

/** Replays the file on every allocator and prints the table. Throws `AppError` (`bad-input`) for options of one. */
export async function replayAll(file: TraceFile, options: ReplayAllOptions): Promise<void> {
  const given = SINGLE.find((name) => options[name] !== undefined);
  if (given !== undefined) {
    throw badInput(`--${given}`, `--${given}: means one allocator; leave it out with --allocator all, or name one`);
  }
  const { header } = file;
  const capacity = capacityOf(file, options);
  const trace = await wholeTrace(file);
  const comparison = compareAllocators({ ...trace, name: header.name === '' ? file.path : header.name }, capacity, {
    torch: options.torch ?? header.torch,
    fraction: options.fraction ?? header.fraction,
  });
  await writeResult(
    options.json === true ? JSON.stringify(comparisonJson(comparison), undefined, 2) : comparisonText(comparison),
  );
}
