/** The words of Diagnose: one whole message for each tag of the model, with its figures. */
import { msg, str } from '@lit/localize';
import { assertNever } from '../../base/errors.js';
import { formatBytes, formatNumber } from '../../base/format.js';
import { type Headline } from '../../model/diagnose/card/headline.js';
import { type Remedy } from '../../model/diagnose/card/remedy.js';
import { type Sum, type SumLabel } from '../../model/diagnose/card/sums.js';
import { type Diagnosis, type Verdict } from '../../model/diagnose/diagnosis.js';
import { isExact } from '../../model/snapshot/fidelity.js';
import { type Fidelity } from '../../model/snapshot/fidelity-figures.js';
import { modelWords } from '../model-words.js';

/** MiB with one decimal, as the tables show sizes. */
export const inMiB = (size: number): string => formatNumber(size / 2 ** 20, 1);

export function verdictWords(verdict: Verdict): string {
  switch (verdict) {
    case 'fragmentation':
      return msg('Fragmentation', { desc: 'verdict: enough is free, in pieces that are too short' });
    case 'true-shortage':
      return msg('True shortage', { desc: 'verdict: too little memory' });
    case 'limit-set':
      return msg('A limit is set', { desc: 'verdict' });
    case 'other-process':
      return msg('Memory held by others', { desc: 'verdict: something outside this process holds it' });
    case 'unknown':
      return msg('Unknown', { desc: 'verdict: the figures do not tell' });
    default:
      return assertNever(verdict);
  }
}

/** Memory outside the process is a second cause. */
export const twoCausesWords = (verdict: Verdict): string =>
  msg(str`Two causes: ${verdictWords(verdict)}, and memory outside this process`, { desc: 'verdict with two causes' });

/** A word for the list of files. */
export function tagWords(verdict: Verdict): string {
  switch (verdict) {
    case 'fragmentation':
      return msg('fragmented', { desc: 'tag of a file' });
    case 'true-shortage':
      return msg('does not fit', { desc: 'tag of a file' });
    case 'limit-set':
      return msg('limit set', { desc: 'tag of a file' });
    case 'other-process':
      return msg('held by others', { desc: 'tag of a file' });
    case 'unknown':
      return msg('no failure found', { desc: 'tag of a file: nothing to judge' });
    default:
      return assertNever(verdict);
  }
}

export function kindWords(kind: Diagnosis['kind']): string {
  switch (kind) {
    case 'snapshot':
      return msg('snapshot', { desc: 'kind of a file' });
    case 'oom-text':
      return msg('OOM text', { desc: 'kind of a file' });
    case 'memory-summary':
      return msg('memory summary', { desc: 'kind of a file' });
    default:
      return assertNever(kind);
  }
}

/** The strongest true thing; undefined where only the reasons can be given. */
export function headlineWords(head: Headline): string | undefined {
  switch (head.kind) {
    case 'in-pieces': {
      const [asked, free] = [formatBytes(head.asked), formatBytes(head.free)];
      return head.pieces === undefined
        ? msg(str`${asked} were needed in one piece. ${free} are free, but in pieces.`, { desc: 'verdict' })
        : msg(str`${asked} were needed in one piece. ${free} are free, but in ${formatNumber(head.pieces)} pieces.`, {
            desc: 'verdict',
          });
    }
    case 'too-little': {
      const [asked, free, short] = [formatBytes(head.asked), formatBytes(head.free), formatBytes(head.short)];
      return msg(str`${asked} were needed. ${free} are free in total: ${short} too few.`, { desc: 'verdict' });
    }
    case 'larger-than-device':
      return msg(
        str`One request of ${formatBytes(head.asked)} is larger than the whole device, ${formatBytes(head.capacity)}.`,
        { desc: 'verdict' },
      );
    case 'limit':
      return head.limit === undefined
        ? msg(str`${formatBytes(head.asked)} were needed, and a limit forbids them.`, { desc: 'verdict' })
        : msg(
            str`${formatBytes(head.asked)} were needed. This process may have ${formatBytes(head.limit)} and no more.`,
            { desc: 'verdict' },
          );
    case 'others':
      return msg(
        str`${formatBytes(head.outside)} of ${formatBytes(head.capacity)} are held outside this process\u2019s cache.`,
        { desc: 'verdict' },
      );
    case 'not-the-cache':
      return msg(
        str`${formatBytes(head.asked)} were needed and the device reports ${formatBytes(head.free)} free. It is not the cache.`,
        { desc: 'verdict' },
      );
    case 'no-failure':
      return msg(
        str`No failed request. ${formatBytes(head.cached)} of ${formatBytes(head.reserved)} reserved are free.`,
        {
          desc: 'verdict of a snapshot or summary without a failure',
        },
      );
    case 'reasons':
      return undefined;
    default:
      return assertNever(head);
  }
}

/** What would have fitted, or that nothing tried would. */
export function remedyWords(remedy: Remedy, capacity: number): string {
  const size = formatBytes(capacity);
  switch (remedy.kind) {
    case 'fits':
      return remedy.retries === 0
        ? msg(str`From an empty allocator it fits in ${size}, with a peak of ${formatBytes(remedy.peak)}.`, {
            desc: 'verdict: the replay as recorded',
          })
        : msg(
            str`From an empty allocator it fits in ${size} after ${formatNumber(remedy.retries)} flushes of the whole cache.`,
            { desc: 'verdict: the replay as recorded' },
          );
    case 'setting':
      return msg(
        str`${modelWords(remedy.row.setting)} would have fitted, with ${formatBytes(remedy.spare)} to spare.`,
        {
          desc: 'verdict: which setting helps',
        },
      );
    case 'code':
      return msg(str`No allocator setting fits. This change of the code does: ${modelWords(remedy.row.setting)}.`, {
        desc: 'verdict: which change of code helps',
      });
    case 'line':
      return msg(
        str`None of the ${formatNumber(remedy.tried)} changes tried fits. It would ${modelWords(remedy.row.setting)}.`,
        {
          desc: 'verdict: what a line of code costs; the setting reads like "without train.py:57 (96 MiB in 16 tensors)"',
        },
      );
    case 'nothing':
      return msg(
        str`None of the ${formatNumber(remedy.tried)} changes tried fits. The tensors alone need ${formatBytes(remedy.allocated)}.`,
        { desc: 'verdict: nothing helps' },
      );
    default:
      return assertNever(remedy);
  }
}

/** Where a replay under the asked capacity stops; undefined where it does not. */
export const stopsWords = (capacity: number, event: number, asked: number): string =>
  msg(
    str`Does not fit in ${formatBytes(capacity)}: stops at event ${formatNumber(event)}, asking for ${formatBytes(asked)}`,
    {
      desc: 'verdict: the program on a device of the asked size',
    },
  );

/** How exactly the model repeats the recording. */
export function fidelityWords(fidelity: Fidelity): string {
  const { inferred_pool_allocations: inPools, settings_changed: changed } = fidelity;
  const told = [replayedWords(fidelity)];
  if (inPools > 0) {
    told.push(
      msg(
        str`The file names no private pool for ${formatNumber(inPools)} of them: told from the free blocks that they passed over.`,
        { desc: 'fidelity: assumption' },
      ),
    );
  }
  if (changed !== null) {
    told.push(
      msg(
        str`The allocator settings were changed before event ${formatNumber(changed)}; the file has only the last ones.`,
        {
          desc: 'fidelity: assumption',
        },
      ),
    );
  }
  return told.join(' ');
}

function replayedWords(fidelity: Fidelity): string {
  const [hit, all] = [formatNumber(fidelity.addr_match), formatNumber(fidelity.alloc)];
  if (!isExact(fidelity)) {
    const first = fidelity.first_mismatch;
    return first === null
      ? msg(str`${hit} of ${all}. The model ends with other segments than the recording: the rows are estimates.`, {
          desc: 'fidelity',
        })
      : msg(
          str`${hit} of ${all}. First difference at event ${formatNumber(first.event)}: everything after it is an estimate.`,
          {
            desc: 'fidelity',
          },
        );
  }
  if (fidelity.inferred_slack_blocks === 0) {
    return msg(str`${hit} of ${all} allocations replayed at the recorded address.`, { desc: 'fidelity' });
  }
  const [slack, start] = [formatNumber(fidelity.inferred_slack_blocks), formatNumber(fidelity.initial_active)];
  return msg(
    str`${hit} of ${all} allocations replayed at the recorded address. Hidden slack inferred for ${slack} of ${start} starting blocks.`,
    { desc: 'fidelity' },
  );
}

export function sumTitle({ about, event }: Sum): string {
  const at = event === undefined ? undefined : formatNumber(event);
  switch (about) {
    case 'device':
      return msg('The device', { desc: 'title of a sum: who has its memory' });
    case 'request':
      return msg('The request', { desc: 'title of a sum: free memory against what was asked for' });
    case 'shortage':
      return at === undefined
        ? msg('At the failure', { desc: 'title of a sum: what is left of the device' })
        : msg(str`Left at event ${at}`, { desc: 'title of a sum: what is left of the device' });
    case 'pieces':
      return at === undefined
        ? msg('Pieces', { desc: 'title of a sum: free memory by piece' })
        : msg(str`Pieces at event ${at}`, { desc: 'title of a sum: free memory by piece' });
    case 'cache':
      return at === undefined
        ? msg('The cache at the end', { desc: 'title of a sum' })
        : msg(str`The cache at event ${at}`, { desc: 'title of a sum' });
    case 'release':
      return msg('What empty_cache() gives back', { desc: 'title of a sum' });
    default:
      return assertNever(about);
  }
}

export function sumLabelWords(label: SumLabel, pieces: number | undefined): string {
  switch (label) {
    case 'capacity':
      return msg('Capacity', { desc: 'line of a sum' });
    case 'reserved':
      return msg('Reserved', { desc: 'line of a sum' });
    case 'allocated':
      return msg('Allocated', { desc: 'line of a sum' });
    case 'active':
      return msg('Live', { desc: 'line of a sum: allocated and what streams still use' });
    case 'cached':
      return msg('Cached and free', { desc: 'line of a sum' });
    case 'outside':
      return msg('Outside this cache', { desc: 'line of a sum: other processes, contexts, libraries' });
    case 'device-free':
      return msg('Free on the device', { desc: 'line of a sum' });
    case 'holes':
      return pieces === undefined
        ? msg('In holes', { desc: 'line of a sum' })
        : msg(str`In ${formatNumber(pieces)} holes`, { desc: 'line of a sum' });
    case 'not-reserved':
      return msg('Not reserved', { desc: 'line of a sum' });
    case 'free-in-total':
      return msg('Free in total', { desc: 'line of a sum' });
    case 'asked':
      return msg('Asked for', { desc: 'line of a sum' });
    case 'headroom':
      return msg('Headroom', { desc: 'line of a sum: capacity less live' });
    case 'held':
      return msg('Held by live blocks', { desc: 'line of a sum' });
    case 'releasable':
      return msg('Given back', { desc: 'line of a sum' });
    case 'short':
      return msg('Too few', { desc: 'line of a sum' });
    case 'to-spare':
      return msg('More than needed', { desc: 'line of a sum' });
    default:
      return assertNever(label);
  }
}
