/** What a forward replay proves, in one line. */
import { formatNumber } from '../../../base/format.js';
import { say } from '../../../base/said.js';
import { isExact } from '../../snapshot/fidelity.js';
import { type Fidelity } from '../../snapshot/fidelity-figures.js';

/** How many allocations and segment calls agree, or where the model parts from the run. */
export function fidelityStep(fidelity: Fidelity): string {
  const segments = fidelity.segment_alloc + fidelity.segment_map;
  const counts = say`${formatNumber(fidelity.addr_match)} of ${formatNumber(fidelity.alloc)} allocations land at the recorded address,
      ${formatNumber(fidelity.segsize_match + fidelity.map_match)} of ${formatNumber(segments)} segment calls agree`;
  const end = isExact(fidelity)
    ? say`reserved ends at the recorded ${formatNumber(fidelity.final_reserved_snap)} B`
    : fidelity.first_mismatch === null
      ? say`the model is not exact here: it ends with ${formatNumber(fidelity.final_reserved_model)} B reserved, the run with
          ${formatNumber(fidelity.final_reserved_snap)} B`
      : say`the model is not exact here: first at entry ${formatNumber(fidelity.first_mismatch.event)},
          ${fidelity.first_mismatch.what}`;
  return [say`replay (device ${fidelity.device}): ${counts}; ${end}`, ...assumptions(fidelity)].join('; ');
}

/** What the file does not say and had to be told from the addresses. */
function assumptions({ inferred_pool_allocations, inferred_pools, settings_changed }: Fidelity): string[] {
  const lines: string[] = [];
  if (inferred_pool_allocations > 0) {
    lines.push(
      say`the entries name no private pool: ${formatNumber(inferred_pool_allocations)} allocations are in private pools by the
          free blocks that they passed over (${formatNumber(inferred_pools)} of these pools have no segment in the file)`,
    );
  }
  if (settings_changed !== null) {
    lines.push(
      say`entry ${formatNumber(settings_changed)} shows that the allocator settings were changed during the run: whether
          expandable segments were on is told from each call, but of the other options the file has only the last values, so
          the model cannot be exact where they differed`,
    );
  }
  return lines;
}
