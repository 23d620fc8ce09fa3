/**
 * A lesson with the room's own results as one HTML page that needs nothing else: no scripts, no files, no connections.
 * Each claim stands beside the numbers it comes from, and beside the commands that run it again.
 */
import { PAGE_CSS } from '../report/html-style.js';
import { escapeXml } from '../report/xml.js';
import { fillText } from './fill-text.js';
import { HAND_OUT_WORDS, type HandOutWords } from './hand-out-words.js';
import { LANGUAGE_TAGS, type Language, type LocalText, textIn } from './local-text.js';
import { metricWords, momentWords } from './metric-words.js';
import { checkCommand, type LessonSource, replayCommands } from './run-again.js';
import { type StepNumber, type StepResult } from './run-step.js';
import { type ChoiceId, type Lesson, type Run, type Step } from './schema.js';
import { filterOf } from './step-text.js';
import { type Claim } from './words.js';

export interface HandOutStep {
  readonly step: Step;
  readonly result: StepResult;
  /** What the room guessed; undefined where it did not. */
  readonly pick: ChoiceId | undefined;
  /** What the GPU gave, a line each; empty where it was not asked. */
  readonly device: readonly string[];
}

export interface HandOut {
  readonly lesson: Lesson;
  readonly source: LessonSource;
  readonly language: Language;
  readonly steps: readonly HandOutStep[];
  readonly claims: readonly Claim[];
  /** When, in words. */
  readonly madeAt: string;
  /** The adapter in words; '' where none was used. */
  readonly adapter: string;
}

/** One self-contained page. All text is escaped. */
export function handOutHtml(handOut: HandOut): string {
  const { lesson, language, madeAt, adapter, steps } = handOut;
  const words = HAND_OUT_WORDS[language];
  const title = plain(lesson.title, language);
  const facts = [
    [words.made, madeAt],
    [words.lesson, `${lesson.id}, ${lesson.minutes} ${words.minutes}`],
    ...(adapter === '' ? [] : [[words.device, adapter]]),
  ];
  return `<!doctype html>
<html lang="${LANGUAGE_TAGS[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeXml(title)}</title>
<style>${PAGE_CSS}${HAND_OUT_CSS}</style>
</head>
<body>
<main>
<header><h1>${escapeXml(title)}</h1><p>${escapeXml(plain(lesson.goal, language))}</p><dl>${facts
    .map(([name = '', text = '']) => `<dt>${escapeXml(name)}</dt><dd>${escapeXml(text)}</dd>`)
    .join('')}</dl></header>
${steps.map((each, i) => stepHtml(handOut, each, i + 1, words)).join('\n')}
<footer><p>${escapeXml(words.footer)}</p></footer>
</main>
</body>
</html>
`;
}

const HAND_OUT_CSS = `
section{break-inside:avoid-page}
ol.answers{list-style:upper-alpha;padding-inline-start:1.5rem}
ol.answers li{margin-block:.25rem}
.mark{font-weight:600}
.keep{border-inline-start:4px solid var(--color-line-strong);padding-inline-start:.75rem;font-weight:600}
pre{overflow:auto;padding:.75rem;background:var(--color-surface-low);font-family:var(--font-mono);white-space:pre-wrap;overflow-wrap:anywhere}
b.bad{color:var(--color-bad)}
@media print{main{max-width:none}details{display:block}}
`;

const plain = (text: LocalText, language: Language): string => textIn(text, language).text;

function stepHtml(handOut: HandOut, { step, result, pick, device }: HandOutStep, number: number, words: HandOutWords) {
  const { language, source } = handOut;
  const text = (local: LocalText) => escapeXml(plain(local, language));
  const deviceLines = device.length === 0 ? '' : `<h3>${words.device}</h3>${list(device)}`;
  return `<section>
<h2>${number}. ${text(step.question)}</h2>
<p>${text(step.setup)}</p>
<ol class="answers">${step.choices.map((choice) => answerHtml(choice, pick, language, words)).join('')}</ol>
<h3>${words.shown}</h3>
<p>${escapeXml(fillText(plain(step.reveal, language), result))}</p>
${freesHtml(result, words)}
<p class="keep">${text(step.takeaway)}</p>
<h3>${words.numbers}</h3>
${numbersHtml(result, language, words)}
<p>${words.again}:</p>
${preformatted(commandsOf(source, step))}
${step.runs.map((run) => operationsHtml(run, words)).join('')}
${deviceLines}
${sayingsHtml(handOut, step, words)}
</section>`;
}

function answerHtml(
  { id, text, right, misconception }: Step['choices'][number],
  pick: ChoiceId | undefined,
  language: Language,
  words: HandOutWords,
): string {
  const marks = [...(right ? [words.right] : []), ...(id === pick ? [words.guess] : [])];
  const mark = marks.length === 0 ? '' : ` <span class="mark">(${escapeXml(marks.join(', '))})</span>`;
  const why = misconception === undefined ? '' : ` <i>${escapeXml(plain(misconception, language))}</i>`;
  return `<li>${escapeXml(plain(text, language))}${mark}${why}</li>`;
}

function freesHtml({ frees }: StepResult, words: HandOutWords): string {
  if (frees === undefined) return '';
  const sets = frees.map(({ tensors }) => `{${tensors.join(', ')}}`).join(` ${words.or} `);
  return `<p>${escapeXml(words.frees)}: ${escapeXml(sets)}</p>`;
}

function numbersHtml(result: StepResult, language: Language, words: HandOutWords): string {
  if (result.numbers.size === 0) return '';
  const rows = [...result.numbers.values()].map((number) => numberRow(number, language, words));
  const heads = [words.number, words.value, words.expected, words.what, words.where];
  return table(heads, rows);
}

function numberRow(number: StepNumber, language: Language, words: HandOutWords): readonly string[] {
  const { name, shown, value, expected, agrees, origin, problem } = number;
  const exact = typeof value === 'number' && shown !== String(value) ? ` (${value})` : '';
  const own = problem ?? `${shown}${exact}`;
  const mark = agrees ? '' : ` ${words.differs}`;
  const there = expected === undefined ? '' : `${String(expected)}${mark}`;
  switch (origin.kind) {
    case 'run':
      return [
        name,
        own,
        there,
        metricWords(origin.metric, language),
        `${words.run} ${origin.run}, ${momentWords(origin.at, language)}`,
      ];
    case 'arithmetic':
      return [name, own, there, words.arithmetic, origin.expression];
    case 'reference':
      return [name, own, there, words.reference, ''];
  }
}

function commandsOf(source: LessonSource, step: Step): readonly string[] {
  return [
    checkCommand(source, step),
    ...step.runs.flatMap((run) => replayCommands(source, step, run)),
    ...(step.measure === undefined ? [] : [`vramlab bench --suite ${step.measure.suite} --filter '${filterOf(step)}'`]),
  ];
}

function operationsHtml({ id, ops }: Run, words: HandOutWords): string {
  if (ops === undefined) return '';
  return `<details><summary>${words.operations}: ${escapeXml(id)}</summary>${preformatted(ops)}</details>`;
}

function sayingsHtml({ claims, language }: HandOut, { corrects }: Step, words: HandOutWords): string {
  const own = claims.filter(({ id }) => corrects.includes(id));
  if (own.length === 0) return '';
  const lines = own.map(
    ({ said, verdict, correction }) =>
      `"${plain(said, language)}" ${words.verdicts[verdict]}: ${plain(correction, language)}`,
  );
  return `<h3>${words.sayings}</h3>${list(lines)}`;
}

/** Lines as they are: each is escaped by itself, since escaping keeps no line breaks. */
const preformatted = (lines: readonly string[]): string => `<pre>${lines.map(escapeXml).join('\n')}</pre>`;

const list = (lines: readonly string[]): string =>
  `<ul>${lines.map((line) => `<li>${escapeXml(line)}</li>`).join('')}</ul>`;

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((name) => `<th scope="col">${escapeXml(name)}</th>`).join('');
  const body = rows
    .map(
      ([first = '', ...rest]) =>
        `<tr><th scope="row">${escapeXml(first)}</th>${rest.map((cell) => `<td>${escapeXml(cell)}</td>`).join('')}</tr>`,
    )
    .join('');
  return `<div class="scroll" tabindex="0" role="region" aria-label="table"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}
