/**
 * Both sides of the Lab as one HTML page that needs nothing else: no scripts, no files, no connections. The sentences are
 * those of the screen, each beside the figures that it comes from; what real buffers did carries the mark of its adapter.
 */
import { msg, str } from '@lit/localize';
import { name as toolName, version } from '../../../package.json';
import { formatBytes, formatNumber } from '../../base/format.js';
import { PAGE_CSS } from '../../model/report/html-style.js';
import { escapeXml } from '../../model/report/xml.js';
import { adapterName } from '../adapter-state.js';
import { badgeWords } from '../words.js';
import { type DoneSide, failureWhy, placeOf } from './lab-figures.js';
import { type LabState } from './lab-state.js';
import { allocatorWords, completesWords, outOfMemoryWords, pairWords, sideWords } from './lab-words.js';
import { type RealSide, realRows } from './real-state.js';
import { realLabel, realNotes, realState, realValue } from './real-words.js';
import {
  askedWords,
  fitsHeadWords,
  fitWords,
  flushWords,
  freesHeadWords,
  freeSetNames,
  freeSetWords,
  headWords,
  mostlyEmptyWords,
  noFitWords,
  stopsWords,
  unusedWords,
} from './why-words.js';

export interface LabPageParts {
  readonly state: LabState;
  /** The link that shows the same view. */
  readonly link: string;
  /** When it is made, as ISO 8601. */
  readonly createdAt: string;
  /** `lang` of the words. */
  readonly language: string;
  /** The maps and tracks as a data URL; undefined where there are none. */
  readonly picture: string | undefined;
}

const LETTERS = ['A', 'B'] as const;
type Rows = readonly (readonly [name: string, value: string])[];

/** The page. All text is escaped. */
export function labHtml({ state, link, createdAt, language, picture }: LabPageParts): string {
  const title = msg('vramlab: two runs and why', { desc: 'title of the exported page of the Lab' });
  const shown =
    picture === undefined
      ? ''
      : `<figure><img src="${picture}" alt="${escapeXml(msg('Memory maps and tracks of both sides', { desc: 'exported page: picture' }))}"></figure>`;
  const body = [
    `<header><h1>${escapeXml(title)}</h1>${facts(headRows(state, link, createdAt))}</header>`,
    shown,
    ...LETTERS.map((letter, index) => sideSection(state, letter, index)),
    realSection(state),
  ];
  return `<!doctype html>
<html lang="${escapeXml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${escapeXml(title)}</title>
<style>${PAGE_CSS}img{max-width:100%;height:auto}section section{margin-block:1rem}</style>
</head>
<body>
<main>
${body.filter((part) => part !== '').join('\n')}
</main>
</body>
</html>
`;
}

const facts = (rows: Rows): string =>
  `<dl>${rows.map(([name, value]) => `<dt>${escapeXml(name)}</dt><dd>${escapeXml(value)}</dd>`).join('')}</dl>`;

const paragraphs = (lines: readonly (string | undefined)[]): string =>
  lines.map((line) => (line === undefined ? '' : `<p>${escapeXml(line)}</p>`)).join('');

const list = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : `<ol>${lines.map((line) => `<li>${escapeXml(line)}</li>`).join('')}</ol>`;

function headRows({ view, brought, plan }: LabState, link: string, createdAt: string): Rows {
  const { pair, workload } = view.settings;
  const { title, detail } = pairWords(pair);
  const budget: Rows =
    plan.status === 'usable' ? [[msg('Budget', { desc: 'exported page: row' }), formatBytes(plan.capacity)]] : [];
  return [
    [msg('Compared', { desc: 'exported page: row' }), `${title}: ${detail}`],
    [msg('Program', { desc: 'exported page: row' }), brought?.name ?? workload],
    ...budget,
    [
      msg('Figures', { desc: 'exported page: row, how the figures were got' }),
      msg('from a replay on the model of the allocator; what real buffers did stands apart', {
        desc: 'exported page: how the figures were got',
      }),
    ],
    [msg('Made', { desc: 'exported page: row, a time' }), createdAt],
    [msg('Tool', { desc: 'exported page: row' }), `${toolName} ${version}`],
    [msg('Link', { desc: 'exported page: row' }), link],
  ];
}

function sideSection(state: LabState, letter: 'A' | 'B', index: number): string {
  const side = state.sides[index];
  const name = index === 0 ? 'a' : 'b';
  const label = state.brought?.[name].label() ?? '';
  const { title, code } = label === '' ? sideWords(state.view.settings, name) : { title: label, code: '' };
  const head = `<h2>${letter}: ${escapeXml(title)}</h2> <code>${escapeXml(code)}</code>`;
  if (side?.kind !== 'done') return '';
  return `<section>${head}<p><b>${escapeXml(outcome(side))}</b></p>${facts(figures(side))}${whySection(state, side, letter, index)}</section>`;
}

function outcome({ result: { failure, peakReserved, run } }: DoneSide): string {
  return failure === undefined ? completesWords(peakReserved) : outOfMemoryWords(placeOf(run, failure.operation));
}

/** Settings, and the figures at the end of the run: at the failure, where there was one. */
function figures({ plan: { program, setup }, result }: DoneSide): Rows {
  const { run, peakAllocated, peakReserved, retries, failure } = result;
  const last = run.end - 1;
  const at = (column: ArrayLike<number>): number => (last < 0 ? 0 : (column[last] ?? 0));
  const parameters: Rows =
    program.kind === 'workload'
      ? [
          [
            msg('Parameters', { desc: 'exported page: row' }),
            Object.entries(program.parameters)
              .map(([key, value]) => `${key}=${String(value)}`)
              .join(' '),
          ],
        ]
      : [];
  const tries: Rows =
    retries === undefined ? [] : [[msg('Flushes and retries', { desc: 'exported page: row' }), formatNumber(retries)]];
  const text: Rows =
    failure === undefined ? [] : [[msg('Text of the error', { desc: 'exported page: row' }), failure.text]];
  return [
    [msg('Allocator', { desc: 'exported page: row' }), `${allocatorWords(setup.name)} ${setup.conf ?? ''}`.trim()],
    ...parameters,
    [
      msg('Operations', { desc: 'exported page: row' }),
      msg(str`${formatNumber(run.end)} of ${formatNumber(run.operations)}`, { desc: 'exported page: operations done' }),
    ],
    [msg('Peak reserved', { desc: 'exported page: row' }), formatBytes(peakReserved)],
    [msg('Peak allocated', { desc: 'exported page: row' }), formatBytes(peakAllocated)],
    [msg('Reserved at the end', { desc: 'exported page: row' }), formatBytes(at(run.tracks.reserved))],
    [msg('Allocated at the end', { desc: 'exported page: row' }), formatBytes(at(run.tracks.allocated))],
    [msg('Free in holes at the end', { desc: 'exported page: row' }), formatBytes(at(run.tracks.free))],
    [msg('Largest hole at the end', { desc: 'exported page: row' }), formatBytes(at(run.tracks.largestHole))],
    [
      msg('Holes, segments at the end', { desc: 'exported page: row' }),
      `${at(run.tracks.holes)}, ${at(run.tracks.segments)}`,
    ],
    ...tries,
    ...text,
  ];
}

/** The Why panel of the screen. */
function whySection({ fits }: LabState, side: DoneSide, letter: string, index: number): string {
  if (side.result.failure === undefined) return '';
  const {
    why,
    capacity,
    tensorsAlone,
    fits: tried,
  } = failureWhy(side, fits?.side === index ? fits : undefined, letter);
  const { needed, largestHole, notReserved } = why.bars;
  const bars: Rows = [
    [msg('Needed', { desc: 'why: bar' }), formatBytes(needed)],
    [msg('Largest hole', { desc: 'why: bar' }), formatBytes(largestHole)],
    [msg('Not reserved', { desc: 'why: bar' }), formatBytes(notReserved)],
  ];
  const frees =
    why.frees === undefined
      ? ''
      : `<h3>${escapeXml(freesHeadWords(why.frees))}</h3>${list(
          why.frees.sets.map((set) => `${freeSetNames(set)}, ${formatBytes(set.bytes)}: ${freeSetWords(set)}`),
        )}`;
  const fitting = tried.rows.filter((row) => row.outcome === 'completed');
  const others = tried.rows.filter((row) => row.outcome !== 'completed');
  const isWhole = fits?.side === index && tried.phase === 'done';
  const remedies = [
    ...fitting.map(({ words, peakReserved }) => fitWords(words, peakReserved, capacity)),
    ...(isWhole && fitting.length === 0 ? [noFitWords(tensorsAlone)] : []),
    ...(isWhole
      ? []
      : [msg('Not every change was tried before this page was made.', { desc: 'exported page: what fits' })]),
    ...others.map(({ words, failedAt }) => stopsWords(words, failedAt ?? 0)),
  ];
  const head = msg(str`Why ${letter} stopped`, { desc: 'heading of the panel' });
  return `<section><h3>${escapeXml(head)}</h3><p><b>${escapeXml(headWords(why.head))}</b></p>${facts(bars)}${paragraphs(
    [askedWords(why), flushWords(why), mostlyEmptyWords(why), unusedWords(why)],
  )}${frees}<h3>${escapeXml(fitsHeadWords(capacity))}</h3>${paragraphs(remedies)}</section>`;
}

/** The model against real buffers, a column a side. */
function realSection({ real }: LabState): string {
  if (real.every(({ kind }) => kind === 'not-run')) return '';
  const known = real.map((side) => (side.kind === 'done' ? side : undefined));
  const adapter = known.find((side) => side !== undefined)?.adapter;
  const mark =
    adapter === undefined
      ? ''
      : `<b class="mark">${escapeXml(badgeWords(adapter.class))}</b> ${escapeXml(adapterName(adapter) ?? '')}`;
  const keys =
    known.flatMap((side) => (side === undefined ? [] : [realRows(side.facts).map(({ key }) => key)]))[0] ?? [];
  const cell = (side: RealSide, key: (typeof keys)[number]): string => {
    if (side.kind !== 'done') return realState(side);
    const row = realRows(side.facts).find((each) => each.key === key);
    const words = realValue(key, row?.value);
    if (row?.agrees === undefined) return words;
    return row.agrees
      ? msg(str`${words} (agrees)`, { desc: 'exported page: a value of real buffers that the model predicted' })
      : msg(str`${words} (differs)`, { desc: 'exported page: a value of real buffers that the model did not predict' });
  };
  const lines = keys.map(
    (key) =>
      `<tr><th scope="row">${escapeXml(realLabel(key))}</th>${real.map((side) => `<td>${escapeXml(cell(side, key))}</td>`).join('')}</tr>`,
  );
  const states =
    keys.length > 0 ? '' : paragraphs(real.map((side, index) => `${LETTERS[index] ?? ''}: ${realState(side)}`));
  const notes = known.flatMap((side, index) => (side === undefined ? [] : realNotes(side.facts, LETTERS[index] ?? '')));
  const title = msg('Model against real buffers', { desc: 'heading' });
  return `<section><h2>${escapeXml(title)}</h2> ${mark}${states}<div class="scroll"><table><thead><tr><td></td><th scope="col">A</th><th scope="col">B</th></tr></thead><tbody>${lines.join('')}</tbody></table></div>${paragraphs(notes)}</section>`;
}
