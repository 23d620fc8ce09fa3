/** What stands around a step: lesson, dots, seed and tools above it, the way on under it. */
import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { type Language } from '../../../model/lesson/local-text.js';
import { stepName } from '../../../model/lesson/run-again.js';
import { type Lesson, type Step } from '../../../model/lesson/schema.js';
import { icons } from '../../styles/icons.js';
import { localText, seedWords } from './words.js';

export interface StepHead {
  readonly lesson: Lesson;
  readonly step: Step;
  readonly language: Language;
  /** Steps whose answer was shown. */
  readonly seen: ReadonlySet<Step>;
  /** Whether the lesson is of a person's own file, which can be shared. */
  readonly isOwn: boolean;
  /** What was done last, for a status region. */
  readonly told: string;
}

export interface HeadActions {
  readonly onCourse: () => void;
  readonly onStep: (name: string) => void;
  readonly onHandOut: () => void;
  readonly onCopyLink: () => void;
  readonly onSaveFile: () => void;
}

export function stepHead(head: StepHead, actions: HeadActions): TemplateResult {
  const { lesson, step, language, isOwn, told } = head;
  return html`
    <header class="head">
      <p class="course-name">
        <button class="text" @click=${actions.onCourse}>
          ${msg('All lessons', { desc: 'button: back to the list of lessons' })}
        </button>
        ${localText(lesson.title, language)}
      </p>
      <ol class="dots">
        ${lesson.steps.map((each, i) => dot(each, i + 1, head, actions))}
      </ol>
      <p class="tools">
        <span class="seed">${seedWords(step)}</span>
        <button class="text aux" @click=${actions.onHandOut}>
          ${msg('Hand-out', { desc: 'button: saves the lesson with its results as a page' })}
        </button>
        ${isOwn ? share(actions) : nothing}
      </p>
      <p class="unseen" role="status">${told}</p>
    </header>
  `;
}

function dot(step: Step, number: number, { step: current, seen }: StepHead, { onStep }: HeadActions) {
  const isSeen = seen.has(step);
  const name = isSeen
    ? msg(str`Step ${number}, seen`, { desc: 'lesson: link to a step whose answer was shown' })
    : msg(str`Step ${number}`, { desc: 'lesson: link to a step' });
  return html`
    <li>
      <button
        class=${isSeen ? 'done' : ''}
        aria-label=${name}
        aria-current=${step === current ? 'step' : nothing}
        @click=${() => onStep(stepName(step))}
      >
        ${number}
      </button>
    </li>
  `;
}

const share = ({ onCopyLink, onSaveFile }: HeadActions): TemplateResult => html`
  <button class="text aux" @click=${onCopyLink}>${msg('Copy link', { desc: 'button: the lesson in a link' })}</button>
  <button class="text aux" @click=${onSaveFile}>${msg('Save file', { desc: 'button: the lesson as a file' })}</button>
`;

export interface StepFoot {
  readonly hasGuess: boolean;
  readonly isShown: boolean;
}

export interface FootActions {
  readonly onMove: (by: 1 | -1) => void;
  readonly onReset: () => void;
  readonly onShow: () => void;
}

export function stepFoot({ hasGuess, isShown }: StepFoot, { onMove, onReset, onShow }: FootActions): TemplateResult {
  return html`
    <footer class="foot">
      <button class="big" @click=${() => onMove(-1)}>
        ${icons.back} ${msg('Previous', { desc: 'button: the step before' })}
      </button>
      <button class="big quietly" @click=${onReset}>
        ${msg('Reset', { desc: 'button: back to the state of the question' })} <kbd>R</kbd>
      </button>
      <button class="big primary" ?disabled=${!hasGuess} @click=${onShow}>
        ${
          isShown
            ? msg('Hide the answer', { desc: 'button: lesson' })
            : msg('Show what happens', { desc: 'button: lesson' })
        }
      </button>
      <button class="big" @click=${() => onMove(1)}>
        ${msg('Next', { desc: 'button: the step after' })} ${icons.forward}
      </button>
    </footer>
  `;
}
