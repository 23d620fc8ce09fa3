/** The parts of Diagnose, each with literals: what they show and what they ask. */
import { describe, expect, it } from 'vitest';
import { type CardView } from '../../app/diagnose/card-view.js';
import { type DeskFile, type ReadyFile, type ReadySweep, type SweepRow } from '../../app/diagnose/desk-state.js';
import { explainText } from '../../model/diagnose/texts/explain-text.js';
import { type Change, settingChange } from '../../model/diagnose/whatif/changes.js';
import { type WhatIfRow } from '../../model/diagnose/whatif/run-change.js';
import { TraceBuilder } from '../../model/trace/trace-builder.js';
import { button, collect, find, mount, textOf } from '../testing/mount.js';
import { DropZone } from './drop-zone/drop-zone.js';
import { FileList } from './file-list/file-list.js';
import { QuestionForm } from './question-form/question-form.js';
import { SnapshotComparisonView } from './snapshot-comparison/snapshot-comparison.js';
import { VerdictCard } from './verdict-card/verdict-card.js';
import { WhatIfTable } from './whatif-table/whatif-table.js';

const MIB = 2 ** 20;
const TEXT =
  'CUDA out of memory. Tried to allocate 102.00 MiB. GPU 0 has a total capacity of 992.00 MiB of which 88.00 MiB is free. ' +
  'Of the allocated memory 725.19 MiB is allocated by PyTorch, and 178.81 MiB is reserved by PyTorch but unallocated.';

describe('the drop zone', () => {
  it('says that nothing leaves the page and what it takes', async () => {
    const zone = await mount(new DropZone(), { wide: true });
    expect(textOf(zone)).toContain('Nothing leaves this page');
    expect(textOf(zone)).toContain('PyTorch snapshot');
  });

  it('hands over chosen files, the same one twice too', async () => {
    const zone = await mount(new DropZone());
    const events = collect(zone, 'app-files-chosen');
    const input = find(zone, 'input[type=file]', HTMLInputElement);
    for (let i = 0; i < 2; i++) {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'oom.pickle'));
      input.files = data.files;
      input.dispatchEvent(new Event('change'));
    }
    expect(events.map(({ files }) => files.map(({ name }) => name))).toEqual([['oom.pickle'], ['oom.pickle']]);
  });

  it('hands over a text, but not white space', async () => {
    const zone = await mount(new DropZone());
    const events = collect(zone, 'app-text-given');
    button(zone, 'Paste text').click();
    const field = find(zone, 'textarea', HTMLTextAreaElement);
    const send = () => field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true }));
    field.value = '  \n';
    send();
    field.value = TEXT;
    send();
    expect(events.map(({ text }) => text)).toEqual([TEXT]);
    expect(find(zone, 'dialog', HTMLDialogElement).open).toBe(false);
  });

  it('shows bytes of bytes while it reads, and cancels', async () => {
    const file = {
      id: 7,
      name: 'oom.pickle',
      bytes: 300 * MIB,
      phase: 'opening',
      progress: { stage: 'reading', done: 75 * MIB, total: 300 * MIB },
    } as const;
    const zone = await mount(new DropZone(), { reading: [file] });
    expect(textOf(zone)).toContain('Reading oom.pickle: 75 MiB of 300 MiB');
    const bar = find(zone, 'progress', HTMLProgressElement);
    expect(bar.position).toBe(0.25);
    const events = collect(zone, 'app-file-acted');
    button(zone, 'Cancel').click();
    expect(events.map(({ action }) => action)).toEqual([{ do: 'close', id: 7 }]);
  });

  it('says why a file was refused', async () => {
    const line = 'oom.pickle stops at byte 1,204,311 in the middle of a list. Save it again, or paste the OOM text.';
    const zone = await mount(new DropZone(), { refusals: [line] });
    expect(textOf(zone.renderRoot.querySelector('[role=alert]'))).toBe(line);
  });
});

const ready = (id: number, name: string): ReadyFile => ({
  id,
  name,
  bytes: 1229,
  phase: 'ready',
  diagnosis: explainText(TEXT),
  snapshot: undefined,
});

describe('the list of files', () => {
  const files: readonly DeskFile[] = [ready(1, 'a.txt'), ready(2, 'b.txt')];

  it('names each with its kind, size and verdict, and marks the one that is shown', async () => {
    const list = await mount(new FileList(), { files, shown: { kind: 'file', id: 2 } });
    expect(textOf(list)).toContain('a.txt OOM text, 1.2 KiB fragmented');
    expect(textOf(list.renderRoot.querySelector('[aria-current=true]'))).toContain('b.txt');
  });

  it('shows and closes by id', async () => {
    const list = await mount(new FileList(), { files, shown: { kind: 'file', id: 2 } });
    const events = collect(list, 'app-file-acted');
    find(list, '.show', HTMLButtonElement).click();
    button(list, 'Close b.txt').click();
    expect(events.map(({ action }) => action)).toEqual([
      { do: 'show', id: 1 },
      { do: 'close', id: 2 },
    ]);
  });

  it('compares only where there are snapshots', async () => {
    const list = await mount(new FileList(), { files });
    expect(textOf(list)).not.toContain('Compare');
  });
});

describe('the question', () => {
  it('sends what was written when the field is left', async () => {
    const form = await mount(new QuestionForm(), { devices: [{ device: 0, events: 22_332, hasFailure: true }] });
    const events = collect(form, 'app-question-changed');
    const field = find(form, 'input[name=capacity]', HTMLInputElement);
    field.value = '11.6 GiB';
    field.dispatchEvent(new Event('change'));
    expect(events.map(({ change }) => change)).toEqual([{ capacity: '11.6 GiB' }]);
    expect(textOf(form)).toContain('0: 22,332 events');
    expect(textOf(form)).toContain('does not hold the capacity');
  });

  it('says what is wrong with a size, under the field', async () => {
    const form = await mount(new QuestionForm(), { problem: 'write a number with a unit' });
    expect(find(form, 'input[name=capacity]', HTMLInputElement).getAttribute('aria-invalid')).toBe('true');
    expect(textOf(form.renderRoot.querySelector('[role=alert]'))).toBe('write a number with a unit');
  });

  it('shows what the recording tells', async () => {
    const form = await mount(new QuestionForm(), { recorded: 992 * MIB });
    expect(textOf(form)).toContain('992 MiB: what was reserved and free when it failed.');
  });
});

const CARD: CardView = {
  tone: 'bad',
  state: 'Fragmentation',
  headlines: ['102 MiB were needed in one piece. 266.8 MiB are free, but in 22 pieces.'],
  why: 'because',
  fidelity: { text: '1 of 1 allocations replayed at the recorded address.', isExact: true },
  sums: [
    {
      about: 'pieces',
      event: 3486,
      lines: [
        { label: 'asked', bytes: 102 * MIB, sign: 'none' },
        { label: 'holes', bytes: 178.5 * MIB, sign: 'plus', pieces: 21 },
      ],
      result: { label: 'free-in-total', bytes: 266.5 * MIB, sign: 'none' },
    },
  ],
  steps: ['one', 'two'],
  advice: ['do it'],
  oddities: [],
  event: 3486,
};

describe('the verdict card', () => {
  it('shows state, headline, reasons, fidelity, sums and steps', async () => {
    const card = await mount(new VerdictCard(), { card: CARD });
    for (const words of [
      'Fragmentation',
      'in 22 pieces',
      'because',
      '1 of 1 allocations',
      'How it was judged, 2 steps',
    ]) {
      expect(textOf(card)).toContain(words);
    }
    const rows = [...card.renderRoot.querySelectorAll('.sums tr')].map((row) => textOf(row));
    expect(rows).toEqual(['Asked for 102.0', 'In 21 holes +178.5', 'Free in total 266.5']);
    expect(textOf(card.renderRoot.querySelector('caption'))).toBe('Pieces at event 3,486 MiB');
  });

  it('goes to the failure, and saves', async () => {
    const card = await mount(new VerdictCard(), { card: CARD });
    const events = collect(card, 'app-event-requested');
    const saved = collect(card, 'app-diagnosis-export');
    button(card, 'Go to the failure, event 3,486').click();
    button(card, 'Save as HTML').click();
    button(card, 'Save as JSON').click();
    expect(events.map(({ event }) => event)).toEqual([3486]);
    expect(saved.map(({ format }) => format)).toEqual(['html', 'json']);
  });

  it('has the reasons as its headline where there is no other', async () => {
    const card = await mount(new VerdictCard(), { card: { ...CARD, headlines: [], event: undefined } });
    expect(textOf(card.renderRoot.querySelector('h2'))).toBe('because');
    expect(textOf(card)).not.toContain('Go to the failure');
  });
});

const answer = (setting: string, peak: number, fits: boolean, more: Partial<WhatIfRow> = {}): WhatIfRow => ({
  setting,
  allocator: 'caching',
  peak_reserved: peak * MIB,
  peak_allocated: peak * MIB,
  final_reserved: 0,
  fits,
  outcome: fits ? 'completed' : 'out-of-memory',
  retries: 0,
  device_calls: 485,
  device_allocs: 485,
  ...more,
});
const row = (id: number, change: Change, state: SweepRow['state'], isOwn = false): SweepRow => ({
  id,
  change,
  isOwn,
  state,
});
const done = (id: number, change: Change, given: WhatIfRow, isOwn = false): SweepRow =>
  row(id, change, { phase: 'done', row: given }, isOwn);
const trace = new TraceBuilder('program').finish();
const sweepOf = (rows: readonly SweepRow[]): ReadySweep => ({
  phase: 'ready',
  input: {
    name: 'program',
    traces: [trace, trace],
    codeChanges: [],
    conf: '',
    capacity: 992 * MIB,
    recorded: undefined,
    events: Int32Array.from({ length: 3000 }, (_, i) => 2 * i),
  },
  capacity: 992 * MIB,
  search: false,
  conf: '',
  rows,
});
const NOW = done(0, settingChange(''), answer('default', 970, false, { failed_at: { operation: 2352, size: 5 } }));

describe('the what-if table', () => {
  const cells = (table: WhatIfTable) =>
    [...table.renderRoot.querySelectorAll('tbody tr:not(.section)')].map((line) => textOf(line));

  it('shows every state of a row', async () => {
    const table = await mount(new WhatIfTable(), {
      sweep: sweepOf([
        NOW,
        done(1, settingChange('expandable_segments:True'), answer('expandable_segments:True', 882, true)),
        done(2, settingChange('max_split_size_mb:128'), answer('x', 970, true, { retries: 2 })),
        row(3, settingChange('max_split_size_mb:32'), { phase: 'queued' }),
        row(4, settingChange('max_split_size_mb:64'), { phase: 'computing' }),
        row(5, settingChange('max_split_size_mb:16'), { phase: 'stopped' }),
      ]),
    });
    expect(cells(table)).toEqual([
      'default as recorded 970.0 no stops at 4,704 now 485',
      'expandable_segments:True best 882.0 yes 110 to spare \u221288.0 485',
      'max_split_size_mb:128 970.0 yes after 2 flushes same 485',
      'max_split_size_mb:32 queued',
      'max_split_size_mb:64 computing',
      'max_split_size_mb:16 stopped',
    ]);
    expect(textOf(table)).toContain('3 of 6');
    expect(textOf(table.renderRoot.querySelector('.best'))).toContain('expandable_segments:True');
  });

  it('parts settings, code and allocators', async () => {
    const table = await mount(new WhatIfTable(), {
      sweep: sweepOf([
        NOW,
        done(1, { setting: 'without x.py:1', allocator: 'caching', conf: '', trace: 1 }, answer('y', 600, true)),
        done(2, settingChange('', 'arena'), answer('default', 500, true, { allocator: 'arena', device_calls: null })),
      ]),
    });
    expect([...table.renderRoot.querySelectorAll('.section')].map((line) => textOf(line))).toEqual([
      'Settings',
      'Code',
      'Other allocators',
    ]);
    expect(cells(table)[2]).toBe('arena 500.0 yes 492 to spare \u2212470.0');
  });

  it('adds, removes, opens and cancels', async () => {
    const own = done(9, settingChange('max_split_size_mb:64'), answer('z', 900, true), true);
    const table = await mount(new WhatIfTable(), {
      opens: true,
      sweep: sweepOf([NOW, own, row(10, settingChange('max_split_size_mb:16'), { phase: 'queued' })]),
    });
    const events = collect(table, 'app-sweep-acted');
    button(table, 'Remove max_split_size_mb:64').click();
    button(table, 'Open max_split_size_mb:64 in the Lab').click();
    button(table, 'Cancel').click();
    button(table, 'Add a change').click();
    await expect.poll(() => table.renderRoot.querySelector('form')).not.toBeNull();
    find(table, 'input[name=conf]', HTMLInputElement).value = ' max_split_size_mb:20 ';
    button(table, 'Replay').click();
    expect(events.map(({ action }) => action)).toEqual([
      { do: 'remove', row: 9 },
      { do: 'open', row: 9 },
      { do: 'stop' },
      { do: 'add', conf: 'max_split_size_mb:20', allocator: 'caching' },
    ]);
  });

  it('has no way to the Lab where there is none, and says estimate where the model is not exact', async () => {
    const table = await mount(new WhatIfTable(), { estimate: true, sweep: sweepOf([NOW, { ...NOW, id: 1 }]) });
    expect(textOf(table)).not.toContain('Lab');
    expect(textOf(table)).toContain('estimate');
  });
});

describe('the comparison', () => {
  it('puts figures side by side, what differs most as the heading', async () => {
    const state = (reserved: number) => ({
      reserved_bytes: reserved * MIB,
      allocated_bytes: 0,
      active_bytes: 0,
      inactive_bytes: 0,
      largest_inactive_block: 0,
      releasable_segments_bytes: 0,
      segments: 1,
      blocks: 1,
    });
    const view = await mount(new SnapshotComparisonView(), {
      comparison: {
        schema: 'vramlab-snapshot-comparison',
        version: 1,
        names: ['rank0.pickle', 'rank1.pickle'],
        states: [state(10), state(14)],
        by_site: [
          {
            site: 'a.py:1 f',
            category: 'activation',
            bytes: [2 * MIB, 6 * MIB],
            blocks: [1, 3],
            difference_bytes: 4 * MIB,
          },
        ],
        by_category: [],
      },
    });
    expect(textOf(view.renderRoot.querySelector('h2'))).toBe('a.py:1 f differs most: 4 MiB.');
    const rows = [...view.renderRoot.querySelectorAll('tbody tr')].map((line) => [...line.children].map(textOf));
    expect(rows[0]).toEqual(['Reserved', '10.0', '14.0', '4.0']);
    expect(rows.at(-1)).toEqual(['a.py:1 f activation', '2.0', '6.0', '4.0']);
  });
});
