/** The text side of a step: question, answers, and after the reveal what happened and what to keep. */
import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { modelWords } from '../../../app/model-words.js';
import { type ModelState } from '../../../app/lesson/lesson-session.js';
import { assertNever } from '../../../base/errors.js';
import { LANGUAGE_TAGS, type Language } from '../../../model/lesson/local-text.js';
import { metricWords, momentWords } from '../../../model/lesson/metric-words.js';
import { type StepNumber, type StepResult } from '../../../model/lesson/run-step.js';
import { type Choice, type ChoiceId, type Step } from '../../../model/lesson/schema.js';
import { icons } from '../../styles/icons.js';
import { filledText, localText } from './words.js';

export interface QuestionState {
  readonly step: Step;
  readonly language: Language;
  readonly pick: ChoiceId | undefined;
  readonly revealed: boolean;
  readonly model: ModelState | undefined;
}

export interface QuestionActions {
  readonly onPick: (choice: ChoiceId) => void;
  readonly onShow: () => void;
}

export function stepQuestion(state: QuestionState, actions: QuestionActions): TemplateResult {
  const { step, language } = state;
  return html`
    <div class=${state.revealed ? 'ask shown' : 'ask'}>
      <h2 class="question" lang=${LANGUAGE_TAGS[language]}>${localText(step.question, language)}</h2>
      <p class="given">${localText(step.setup, language)}</p>
      <div
        class="answers"
        role="radiogroup"
        aria-label=${msg('Answers', { desc: 'lesson: group of the three answers' })}
      >
        ${step.choices.map((choice) => answer(choice, state, actions))}
      </div>
      <div class="reveal" aria-live="polite">${revealed(state)}</div>
    </div>
  `;
}

function answer(choice: Choice, { language, pick, revealed: isShown }: QuestionState, actions: QuestionActions) {
  const isPicked = choice.id === pick;
  const look = !isShown ? '' : choice.right ? 'right' : isPicked ? 'wrong' : 'faded';
  return html`
    <button
      role="radio"
      class=${look}
      aria-checked=${isPicked ? 'true' : 'false'}
      data-choice=${choice.id}
      @click=${() => actions.onPick(choice.id)}
      @keydown=${(event: KeyboardEvent) => onAnswerKey(event, isPicked, actions)}
    >
      <span class="key">${choice.id}</span>
      <span>
        ${localText(choice.text, language)}
        ${
          isShown && isPicked && choice.misconception !== undefined
            ? html`<span class="why">${localText(choice.misconception, language)}</span>`
            : nothing
        }
      </span>
      <span class="state">${isShown ? answerMark(choice, isPicked) : nothing}</span>
    </button>
  `;
}

/** Enter on the answer that is chosen shows what happens; up and down walk the answers. */
function onAnswerKey(event: KeyboardEvent, isPicked: boolean, { onShow }: QuestionActions): void {
  const { currentTarget, key } = event;
  if (key === 'Enter' && isPicked) onShow();
  else if ((key === 'ArrowDown' || key === 'ArrowUp') && currentTarget instanceof HTMLElement) {
    const next = key === 'ArrowDown' ? currentTarget.nextElementSibling : currentTarget.previousElementSibling;
    if (next instanceof HTMLElement) next.focus();
  } else return;
  event.preventDefault();
}

function answerMark({ right }: Choice, isPicked: boolean) {
  if (right) {
    return isPicked
      ? html`${icons.ok} ${msg('your guess, correct', { desc: 'mark of an answer after the reveal' })}`
      : html`${icons.ok} ${msg('correct', { desc: 'mark of an answer after the reveal' })}`;
  }
  return isPicked ? msg('your guess', { desc: 'mark of an answer after the reveal' }) : nothing;
}

function revealed({ step, language, pick, revealed: isShown, model }: QuestionState) {
  if (!isShown) {
    return html`<p class="hint-line">
      ${
        pick === undefined
          ? msg('Choose an answer, then show what happens.', { desc: 'lesson: under the answers' })
          : msg('Show what happens when the room is ready.', { desc: 'lesson: under the answers, one is chosen' })
      }
    </p>`;
  }
  if (model === undefined || model.kind === 'running') {
    return html`<p class="hint-line">${msg('Running on the model', { desc: 'lesson: the models work' })}</p>`;
  }
  if (model.kind === 'failed') return html`<p class="trouble" role="alert">${modelWords(model.message)}</p>`;
  const { result } = model;
  return html`
    <p class="happened">${filledText(step.reveal, language, result)}</p>
    ${frees(result)} ${disagreement(result)}
    <p class="keep">${localText(step.takeaway, language)}</p>
    ${result.numbers.size === 0 ? nothing : origins(result, language)}
  `;
}

function frees({ frees: sets }: StepResult) {
  if (sets === undefined) return nothing;
  const names = sets.map(({ tensors }) => `{${tensors.join(', ')}}`).join('  ');
  return html`<p class="sets">
    ${msg(str`Sets of frees that are enough: ${names}`, { desc: 'lesson: smallest sets of frees, tried on the model' })}
  </p>`;
}

/** A lesson is only as good as its numbers: one that does not come out is said at once. */
function disagreement({ numbers, agrees }: StepResult) {
  if (agrees) return nothing;
  const wrong = [...numbers.values()].filter((number) => !number.agrees);
  return html`<div class="trouble" role="alert">
    ${
      wrong.length === 0
        ? html`<p>
            ${msg('The sets of frees are not those that the lesson expects.', { desc: 'lesson: a check failed' })}
          </p>`
        : wrong.map((number) => html`<p>${differenceWords(number)}</p>`)
    }
  </div>`;
}

function differenceWords({ name, shown, expected, problem }: StepNumber): string {
  if (problem !== undefined) return msg(str`${name}: ${problem}`, { desc: 'lesson: a number has no value' });
  const there = String(expected);
  return msg(str`${name} is ${shown} here, the lesson says ${there}.`, { desc: 'lesson: a number differs' });
}

function origins({ numbers }: StepResult, language: Language) {
  return html`
    <details class="origins">
      <summary>${msg('Where the numbers come from', { desc: 'lesson: opens a table' })}</summary>
      <div class="scroll" tabindex="0" role="region" aria-label=${msg('Numbers of this step', { desc: 'region' })}>
        <table>
          <tbody>
            ${[...numbers.values()].map(
              (number) => html`
                <tr>
                  <th scope="row"><code>${number.name}</code></th>
                  <td class="number">${number.shown}</td>
                  <td>${originWords(number, language)}</td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
    </details>
  `;
}

function originWords({ origin }: StepNumber, language: Language) {
  switch (origin.kind) {
    case 'run':
      return html`<span lang=${LANGUAGE_TAGS[language]}
          >${metricWords(origin.metric, language)}, ${momentWords(origin.at, language)}</span
        >
        (<code>${origin.run}</code>)`;
    case 'arithmetic':
      return html`<code>${origin.expression}</code>`;
    case 'reference':
      return msg('measured on a software adapter, for orientation', { desc: 'lesson: where a number comes from' });
    default:
      return assertNever(origin);
  }
}
