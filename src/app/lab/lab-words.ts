/** Words of the Lab: comparisons, sides, outcomes. */
import { msg, str } from '@lit/localize';
import { modelWords } from '../model-words.js';
import { assertNever } from '../../base/errors.js';
import { formatBytes, formatNumber } from '../../base/format.js';
import { type AllocatorName } from '../../model/allocator/names.js';
import { type LabPair, type LabSettings, type SideName, sideParameters, workloadOf } from './lab-settings.js';

export function pairWords(pair: LabPair): { readonly title: string; readonly detail: string } {
  switch (pair) {
    case 'code':
      return {
        title: msg('Code', { desc: 'comparison' }),
        detail: msg('temporary copies or memory made once', { desc: 'comparison: code' }),
      };
    case 'setting':
      return {
        title: msg('Setting', { desc: 'comparison' }),
        detail: msg('default or expandable_segments', { desc: 'comparison: setting' }),
      };
    case 'allocator':
      return {
        title: msg('Allocator', { desc: 'comparison' }),
        detail: msg("PyTorch's caching allocator or BFC", { desc: 'comparison: allocator' }),
      };
    case 'batch':
      return {
        title: msg('Batch', { desc: 'comparison' }),
        detail: msg('the batch, or twice the batch', { desc: 'comparison: batch' }),
      };
    case 'own':
      return {
        title: msg('Your own pair', { desc: 'comparison' }),
        detail: msg('anything on either side', { desc: 'comparison: own' }),
      };
    default:
      return assertNever(pair);
  }
}

/** An allocator in a choice. */
export function allocatorWords(name: string): string {
  const known: Readonly<Record<AllocatorName, () => string>> = {
    caching: () => msg('PyTorch caching allocator', { desc: 'allocator' }),
    bfc: () => msg('BFC (TensorFlow, XLA)', { desc: 'allocator' }),
    'stream-ordered': () => msg('Stream-ordered pool', { desc: 'allocator' }),
    arena: () => msg('Arena, planned ahead', { desc: 'allocator' }),
    direct: () => msg('Direct, no cache', { desc: 'allocator' }),
    buddy: () => msg('Buddy (Dawn)', { desc: 'allocator' }),
    'cache-none': () => msg('Buffers, no cache', { desc: 'allocator' }),
    'cache-lazy': () => msg('Buffers, lazy release', { desc: 'allocator' }),
    'cache-exact': () => msg('Buffers by exact size', { desc: 'allocator' }),
    'cache-bucket': () => msg('Buffers in buckets', { desc: 'allocator' }),
    'cache-tfjs': () => msg('Buffers as tfjs keeps them', { desc: 'allocator' }),
  };
  const words = Object.entries(known).find(([each]) => each === name)?.[1];
  return words?.() ?? name;
}

interface SideWords {
  readonly title: string;
  /** What differs, as it is written in code or settings. */
  readonly code: string;
}

/** What stands on top of a side: what is particular about it. */
export function sideWords(settings: LabSettings, side: SideName): SideWords {
  const { allocator, conf, change } = settings[side];
  const other = settings[side === 'a' ? 'b' : 'a'];
  if (allocator !== other.allocator) return { title: allocatorWords(allocator), code: confWords(conf) };
  const { parameters } = workloadOf(settings.workload);
  const given = sideParameters(settings, settings[side]);
  const value = (key: string): string => given[key] ?? String(parameters[key]?.fallback ?? '');
  const form = formOf(value);
  const batch = 'b' in parameters ? value('b') : 'batch' in parameters ? value('batch') : undefined;
  if (change !== other.change && form !== undefined) {
    const isBatch = settings.pair === 'batch' && batch !== undefined;
    return isBatch ? { ...form, title: msg(str`${form.title}, batch ${batch}`, { desc: 'side of the Lab' }) } : form;
  }
  if (change !== other.change) return { title: programTitle(change), code: change === '' ? settings.workload : change };
  if (conf !== other.conf) return { title: confTitle(conf), code: confWords(conf) };
  return { title: form?.title ?? settings.workload, code: form?.code ?? confWords(conf) };
}

const confWords = (conf: string): string =>
  conf.trim() === '' ? msg('(default)', { desc: 'settings of an allocator: none given' }) : conf;

function confTitle(conf: string): string {
  if (conf.trim() === '') return msg('Default settings', { desc: 'side of the Lab' });
  if (conf.includes('expandable_segments:True')) return msg('Expandable segments', { desc: 'side of the Lab' });
  return msg('Changed settings', { desc: 'side of the Lab' });
}

const programTitle = (change: string): string =>
  change === '' ? msg('As it is', { desc: 'side of the Lab' }) : msg('Changed program', { desc: 'side of the Lab' });

/** How a workload keeps what grows, in words and in the line of code that does it. */
function formOf(value: (key: string) => string): SideWords | undefined {
  for (const [key, forms] of formsByKey()) {
    const found = Object.entries(forms).find(([name]) => name === value(key))?.[1];
    if (found !== undefined) return { title: found[0], code: found[1] };
  }
  return undefined;
}

type Forms = Readonly<Record<string, readonly [title: string, code: string]>>;

/** By the parameter that says how it is kept. */
function formsByKey(): readonly (readonly [string, Forms])[] {
  const concat = msg('Temporary concat', { desc: 'side of the Lab' });
  const once = msg('Preallocated reuse', { desc: 'side of the Lab' });
  const joined = msg('List, joined once', { desc: 'side of the Lab' });
  return [
    [
      'bank',
      {
        concat: [concat, 'bank = torch.cat([bank, x])'],
        prealloc: [once, 'bank[i:j].copy_(x)'],
        list: [joined, 'torch.stack(outputs)'],
      },
    ],
    [
      'variant',
      {
        concat: [concat, 'hs = torch.cat([hs, x[None]])'],
        prealloc: [once, 'hs[l].copy_(x)'],
        buffer: [once, 'hs[l].copy_(x)'],
        list: [joined, 'torch.stack(outputs)'],
        none: [msg('Nothing kept', { desc: 'side of the Lab' }), 'pass'],
      },
    ],
    [
      'cache',
      {
        concat: [concat, 'k = torch.cat([k, new_k])'],
        prealloc: [once, 'k[:, n].copy_(new_k)'],
        chunk: [msg('Chunks, made as needed', { desc: 'side of the Lab' }), 'k_chunks.append(new_chunk)'],
      },
    ],
    [
      'gather',
      {
        concat: [concat, 'logits = torch.cat([logits, y])'],
        prealloc: [once, 'logits[i:j].copy_(y)'],
        list: [joined, 'torch.cat(list_of_logits)'],
      },
    ],
  ];
}

/** A place in a program that names no steps. */
export const operationWords = (operation: number): string =>
  operation < 0
    ? msg('before the first operation', { desc: 'place in a program' })
    : msg(str`operation ${formatNumber(operation)}`, { desc: 'place in a program' });

/** Where a marker of a program stands: `step 16`, `step 3, backward`. */
export function placeWords(label: string | undefined): string {
  if (label === undefined) return msg('before the first step', { desc: 'place in a program' });
  const match = /^(\S+) (\d+)$/.exec(label);
  if (match === null) return label;
  const [, phase = '', step = ''] = match;
  return phase === 'step'
    ? msg(str`step ${step}`, { desc: 'place in a program' })
    : msg(str`step ${step}, ${phase}`, { desc: 'place in a program: a phase of a step' });
}

export const completesWords = (peak: number): string =>
  msg(str`Completes, peak ${formatBytes(peak)}`, { desc: 'outcome of a side' });
/** The same from the back of a room. */
export const fitsWords = (): string => msg('Fits', { desc: 'outcome of a side, presenter mode' });
export const outOfMemoryWords = (place: string): string =>
  msg(str`Out of memory, ${place}`, { desc: 'outcome of a side' });

export const stoppedWords = (): string => msg('stopped', { desc: 'real buffers: a run that was cancelled' });

/** A link names a program that only a file has. */
export const missingFile = (name: string): string =>
  msg(str`This link is about ${name}, which no link can carry. Open the file again; a workload is shown meanwhile.`, {
    desc: 'notice of the Lab',
  });

/** What was opened is no trace: why, and where the other things that people have at hand are opened. */
export const notTraceWords = (reason: string): string =>
  msg(str`${reason}. Snapshots and out-of-memory texts are opened on the Diagnose page.`, {
    desc: 'notice of the Lab: a file or text that is no trace',
  });

/** A change as people read it: `Preallocated reuse (variant=prealloc b=8)`. */
export function changeWords(change: string, workload: string): string {
  const { parameters } = workloadOf(workload);
  const isProgram = change.split(' ').every((word) => Object.hasOwn(parameters, word.split('=')[0] ?? ''));
  if (!isProgram) return modelWords(change);
  const given = new Map(change.split(' ').map((word) => [word.split('=')[0] ?? '', word.split('=')[1] ?? '']));
  const form = formOf((key) => given.get(key) ?? '');
  return form === undefined ? change : msg(str`${form.title} (${change})`, { desc: 'a change of the program' });
}
