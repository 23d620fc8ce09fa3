/** Messages of the Lesson page that several of its parts share. The lessons' own texts are in their files. */
import { msg, str } from '@lit/localize';
import { html, type TemplateResult } from 'lit';
import { LANGUAGE_TAGS, type Language, type LocalText, textIn } from '../../../model/lesson/local-text.js';
import { piecesOf } from '../../../model/lesson/fill-text.js';
import { type StepResult } from '../../../model/lesson/run-step.js';
import { budgetOf } from '../../../model/lesson/run-setup.js';
import { showValue } from '../../../model/lesson/show-value.js';
import { type Run, type Step } from '../../../model/lesson/schema.js';

/** A text of the lesson in its language, said to assistive technology where it is not the page's. */
export function localText(text: LocalText, language: Language): TemplateResult {
  const shown = textIn(text, language);
  return html`<span lang=${LANGUAGE_TAGS[shown.language]}>${shown.text}</span>`;
}

/** A text with its numbers set apart. Before there is a result the names of the numbers are left out. */
export function filledText(text: LocalText, language: Language, result: StepResult): TemplateResult {
  const shown = textIn(text, language);
  return html`<span lang=${LANGUAGE_TAGS[shown.language]}
    >${piecesOf(shown.text).map((piece) =>
      piece.kind === 'words'
        ? piece.text
        : html`<b data-number=${piece.name}>${result.numbers.get(piece.name)?.shown ?? ''}</b>`,
    )}</span
  >`;
}

/** What a run is called on a tab. */
export const runLabel = (run: Run, language: Language): string =>
  run.label === undefined ? run.id : textIn(run.label, language).text;

/** What a run is made on, in one line. */
export function runFacts(run: Run): string {
  const size = showValue(budgetOf(run), 'bytes');
  switch (run.allocator) {
    case 'caching': {
      const conf = run.conf === '' ? '' : `, ${run.conf}`;
      return run.fraction === undefined
        ? msg(str`PyTorch, ${size}${conf}`, { desc: 'what a run is made on: allocator, budget, settings' })
        : msg(str`PyTorch, ${size}, fraction ${run.fraction}${conf}`, {
            desc: 'what a run is made on: allocator, budget, memory fraction, settings',
          });
    }
    case 'bfc':
      if (!run.options.allowGrowth) return msg(str`BFC, one pool of ${size}`, { desc: 'what a run is made on' });
      return run.options.garbageCollection
        ? msg(str`BFC with growth and region collection, ${size}`, { desc: 'what a run is made on' })
        : msg(str`BFC with growth, ${size}`, { desc: 'what a run is made on' });
    case 'direct':
      return msg(str`no cache, ${size}`, { desc: 'what a run is made on: a device call a tensor' });
  }
}

/** The seeds of a step's programs, in words. */
export function seedWords({ runs }: Step): string {
  const seeds = new Set(
    runs.flatMap(({ generator }) => {
      const seed = generator?.set['seed'];
      return seed === undefined ? [] : [String(seed)];
    }),
  );
  const [seed] = seeds;
  if (seed === undefined)
    return msg('nothing random', { desc: 'lesson: where a seed would stand; the runs have no chance in them' });
  const all = [...seeds].join(', ');
  return msg(str`seed ${all}`, { desc: 'lesson: seed of the random numbers in its runs' });
}
