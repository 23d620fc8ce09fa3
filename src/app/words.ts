/** Messages that several elements share. The words are chosen from tags and kinds, never from another message. */
import { msg, str } from '@lit/localize';
import { languageTag } from './locale.js';
import { modelWords } from './model-words.js';
import { assertNever } from '../base/errors.js';
import { formatNumber } from '../base/format.js';
import { type Preset } from '../model/report/schema.js';
import { type AdapterBadge } from './adapter-state.js';
import { type GpuHolder } from './gpu-turns.js';
import { type KeepTrouble } from './kept-runs.js';
import { type RowCounts } from './rows.js';
import { type SettingsField, type SettingsProblems } from './settings.js';
import { type LinkProblem, type Theme } from './url-state.js';

export function badgeWords(badge: AdapterBadge): string {
  switch (badge) {
    case 'asking':
      return msg('Asking', { desc: 'adapter badge while the browser is asked for an adapter' });
    case 'hardware':
      return msg('Hardware', { desc: 'adapter badge: a GPU' });
    case 'software':
      return msg('Software', { desc: 'adapter badge: WebGPU runs on the CPU' });
    case 'none':
      return msg('No adapter', { desc: 'adapter badge: the browser gives none' });
    case 'lost':
      return msg('Lost', { desc: 'adapter badge: the device was lost' });
    default:
      return assertNever(badge);
  }
}

/** Who has the GPU, where a page cannot have it. */
export function gpuHolderWords(holder: GpuHolder): string {
  switch (holder) {
    case 'measure':
      return msg('Measure has the GPU now.', { desc: 'why a run on the GPU cannot start' });
    case 'lab':
      return msg('The Lab has the GPU now.', { desc: 'why a run on the GPU cannot start' });
    case 'lesson':
      return msg('A lesson has the GPU now.', { desc: 'why a run on the GPU cannot start' });
    case 'other-tab':
      return msg('Another tab of the lab has the GPU now. Wait for it, or cancel it there.', {
        desc: 'why a run on the GPU cannot start',
      });
    default:
      return assertNever(holder);
  }
}

export function presetWords(preset: Preset): string {
  switch (preset) {
    case 'quick':
      return msg('Quick', { desc: 'run preset' });
    case 'standard':
      return msg('Standard', { desc: 'run preset' });
    case 'full':
      return msg('Full', { desc: 'run preset' });
    default:
      return assertNever(preset);
  }
}

export function themeWords(theme: Theme): string {
  switch (theme) {
    case 'system':
      return msg('As the system', { desc: 'theme choice' });
    case 'light':
      return msg('Light', { desc: 'theme choice' });
    case 'dark':
      return msg('Dark', { desc: 'theme choice' });
    default:
      return assertNever(theme);
  }
}

/** A theme as a command. */
export function themeCommandWords(theme: Theme): string {
  switch (theme) {
    case 'system':
      return msg('Theme: as the system', { desc: 'command' });
    case 'light':
      return msg('Theme: light', { desc: 'command' });
    case 'dark':
      return msg('Theme: dark', { desc: 'command' });
    default:
      return assertNever(theme);
  }
}

/** What is wrong with a field and what to write instead; undefined when it can be used. */
export function problemWords(problems: SettingsProblems, field: SettingsField): string | undefined {
  const problem = problems[field];
  switch (problem) {
    case undefined:
      return undefined;
    case 'none-chosen':
      return msg('Choose at least one suite.', { desc: 'run settings: problem under the suites' });
    case 'not-a-pattern':
      return msg('This is no regular expression. Write part of a name, such as triad, or clear the field.', {
        desc: 'run settings: problem under the filter',
      });
    case 'not-a-size':
      return msg('Write a size with a unit, such as 512 MiB or 1.5 GiB.', {
        desc: 'run settings: problem under the budget',
      });
    case 'not-a-seed':
      return msg('Write a whole number from 0 to 4,294,967,295.', { desc: 'run settings: problem under the seed' });
    default:
      return assertNever(problem);
  }
}

/** One line for a part of a link that was refused. */
export function linkProblemWords(problem: LinkProblem): string {
  switch (problem.kind) {
    case 'newer-version':
      return msg(
        str`This link was made by another version (${problem.version}) and was not read. Your own settings are shown.`,
        { desc: 'notice above the page' },
      );
    case 'unreadable-version':
      return msg(
        str`The version of this link cannot be read (v=${problem.version}), so it was not followed. What was on screen stays.`,
        { desc: 'notice above the page' },
      );
    case 'past-end':
      return msg(
        str`The link says ${problem.key}=${problem.value}, but the last one here is ${formatNumber(problem.last)}. It was not followed.`,
        { desc: 'notice above the page: a place behind the end of a trace' },
      );
    case 'unreadable':
      return msg(
        str`The link says ${problem.key}=${problem.value}, which cannot be used here. Your own setting is shown instead.`,
        { desc: 'notice above the page' },
      );
    case 'unknown-page':
      return msg(str`There is no page called ${problem.page}, so this link was not followed.`, {
        desc: 'notice above the page',
      });
    case 'texts-missing':
      return msg('The texts in this language did not arrive. Look at the connection, then choose it again.', {
        desc: 'notice above the page',
      });
    default:
      return assertNever(problem);
  }
}

/** A flag of a row as people read it. An unknown one is shown as it is written. */
export function flagWords(flag: string): string {
  switch (flag) {
    case 'timer-limited':
      return msg('timer-limited', { desc: 'flag: the clock is too coarse for this row' });
    case 'unstable':
      return msg('unstable', { desc: 'flag: the samples differ much' });
    case 'instruction-bound':
      return msg('instruction-bound', { desc: 'flag: limited by instructions, not by memory' });
    case 'derived':
      return msg('derived', { desc: 'flag: computed from other figures' });
    case 'few-samples':
      return msg('few samples', { desc: 'flag' });
    case 'slow-first-sample':
      return msg('slow first sample', { desc: 'flag' });
    case 'outliers':
      return msg('outliers', { desc: 'flag: samples far from the others' });
    case 'drift':
      return msg('drift', { desc: 'flag: the last samples differ from the first' });
    case 'throttled':
      return msg('throttled', { desc: 'flag: the reference kernel slowed down' });
    case 'above-next-tier':
      return msg('above next tier', { desc: 'flag: faster than the next faster tier' });
    case 'above-faster-tier':
      return msg('above faster tier', { desc: 'flag: faster than the tier that is faster' });
    case 'above-peak':
      return msg('above peak', { desc: 'flag: faster than the card can be' });
    case 'spilled':
      return msg('spilled', { desc: 'flag: memory was moved to the host' });
    default:
      return flag.replaceAll('-', ' ');
  }
}

/** The outcome of a run in one line: `42 clean, 18 flagged, 0 failed, 0 skipped`. */
export function countsWords(counts: RowCounts): string {
  const [clean, flagged, failed, skipped] = [counts.clean, counts.flagged, counts.failed, counts.skipped].map((n) =>
    formatNumber(n),
  );
  return msg(str`${clean} clean, ${flagged} flagged, ${failed} failed, ${skipped} skipped`, {
    desc: 'run bar: how many rows ended how',
  });
}

const SECOND = 1e9;
/** Time left, rounded to 1, 5 or 10 s: a finer figure would not be true. */
export function timeLeftWords(remainingNs: number): string {
  const seconds = remainingNs / SECOND;
  const step = seconds < 10 ? 1 : seconds < 60 ? 5 : 10;
  const rounded = Math.max(1, Math.ceil(seconds / step) * step);
  if (rounded < 60) return msg(str`about ${rounded} s left`, { desc: 'run bar' });
  return msg(str`about ${Math.floor(rounded / 60)} min ${rounded % 60} s left`, { desc: 'run bar' });
}

/** When a run was made, in the reader's time zone, to the second: two runs of one minute stay apart. */
export const runDate = (createdAt: string): string =>
  new Intl.DateTimeFormat(languageTag(), { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(createdAt));

/** Why runs are not kept, or one cannot be opened, and what to do. */
export function keepTroubleWords(trouble: KeepTrouble): string {
  switch (trouble.kind) {
    case 'full':
      return msg('This run is not kept: the browser has no room left. Export it, or delete runs and run again.', {
        desc: 'notice: kept runs',
      });
    case 'unavailable':
      return msg(
        'Runs are not kept: this browser gives the page no storage, as in a private window. Export what you need.',
        {
          desc: 'notice: kept runs',
        },
      );
    case 'refused':
      return msg(str`This run was not opened. ${modelWords(trouble.what)}. The other runs are as they were.`, {
        desc: 'notice: kept runs',
      });
    default:
      return assertNever(trouble);
  }
}
