/** The glossary, and what common sayings get wrong. */
import { msg } from '@lit/localize';
import { html, type TemplateResult } from 'lit';
import { LANGUAGE_TAGS, type Language } from '../../../model/lesson/local-text.js';
import { type Claim, type Words } from '../../../model/lesson/words.js';

/** `onStep` opens the step that shows a saying: `concat/small-fails`. */
export function wordList(
  words: Words,
  language: Language,
  onStep: (id: string) => void,
  onBack: () => void,
): TemplateResult {
  const other: Language = language === 'en' ? 'zh' : 'en';
  return html`
    <div class="course words">
      <header>
        <button @click=${onBack}>${msg('All lessons', { desc: 'button: back to the list of lessons' })}</button>
        <h2>${msg('Glossary', { desc: 'heading' })}</h2>
        <p class="hint">
          ${msg('The same words in every lesson and on every screen.', { desc: 'under the glossary heading' })}
        </p>
      </header>
      <div class="scroll" tabindex="0" role="region" aria-label=${msg('Glossary', { desc: 'heading' })}>
        <table>
          <tbody>
            ${words.glossary.map(
              ({ term, definition }) => html`
                <tr>
                  <th scope="row">
                    <span lang=${LANGUAGE_TAGS[language]}>${term[language]}</span>
                    <span class="other" lang=${LANGUAGE_TAGS[other]}>${term[other]}</span>
                  </th>
                  <td lang=${LANGUAGE_TAGS[language]}>${definition[language]}</td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
      <h2>${msg('What is often said', { desc: 'heading of the table of sayings' })}</h2>
      <div
        class="scroll"
        tabindex="0"
        role="region"
        aria-label=${msg('What is often said', { desc: 'heading of the table of sayings' })}
      >
        <table>
          <tbody>
            ${words.claims.map((claim) => claimRow(claim, language, onStep))}
          </tbody>
        </table>
      </div>
    </div>
  `;
}

function claimRow({ said, verdict, correction, steps }: Claim, language: Language, onStep: (id: string) => void) {
  return html`
    <tr>
      <th scope="row" lang=${LANGUAGE_TAGS[language]}>${said[language]}</th>
      <td><span class=${`verdict ${verdict}`}>${verdictWords(verdict)}</span></td>
      <td>
        <span lang=${LANGUAGE_TAGS[language]}>${correction[language]}</span>
        <span class="steps">
          ${steps.map((id) => html`<button class="text" @click=${() => onStep(id)}>${id}</button>`)}
        </span>
      </td>
    </tr>
  `;
}

function verdictWords(verdict: Claim['verdict']): string {
  switch (verdict) {
    case 'true':
      return msg('true', { desc: 'verdict on a saying' });
    case 'half':
      return msg('half true', { desc: 'verdict on a saying' });
    case 'wrong':
      return msg('wrong', { desc: 'verdict on a saying' });
  }
}
