/** Words of the what-if table. */
import { msg } from '@lit/localize';
import { type TemplateResult } from 'lit';
import { type RowKind, type SweepRow } from '../../../app/diagnose/desk-state.js';
import { inMiB } from '../../../app/diagnose/diagnose-words.js';
import { assertNever } from '../../../base/errors.js';
import { type WhatIfRow } from '../../../model/diagnose/whatif/run-change.js';
import { said } from '../said.js';

/** Over the rows of a kind. */
export function sectionWords(kind: RowKind): string {
  switch (kind) {
    case 'setting':
      return msg('Settings', { desc: 'section of the what-if table' });
    case 'code':
      return msg('Code', { desc: 'section of the what-if table: changes of the program' });
    case 'allocator':
      return msg('Other allocators', { desc: 'section of the what-if table' });
    default:
      return assertNever(kind);
  }
}

/** In place of the figures of a row without an answer. */
export function waitingWords({ state }: SweepRow): TemplateResult | string {
  switch (state.phase) {
    case 'queued':
      return msg('queued', { desc: 'what-if row' });
    case 'computing':
      return msg('computing', { desc: 'what-if row' });
    case 'stopped':
      return msg('stopped', { desc: 'what-if row that was cancelled' });
    case 'failed':
      return said(state.message);
    case 'done':
      return state.row.reason === undefined
        ? msg('refused', { desc: 'what-if row that the allocator refuses' })
        : said(state.row.reason);
    default:
      return assertNever(state);
  }
}

/** The peak of a row against that of the first. */
export function differenceWords({ peak_reserved: peak }: WhatIfRow, baseline: WhatIfRow | undefined): string {
  if (peak === null || baseline === undefined || baseline.peak_reserved === null) return '';
  const change = peak - baseline.peak_reserved;
  if (change === 0) return msg('same', { desc: 'what-if: no difference' });
  return `${change > 0 ? '+' : ''}${inMiB(change)}`;
}
