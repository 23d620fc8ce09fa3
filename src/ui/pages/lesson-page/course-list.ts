/** The course: every lesson with the time it takes, and what else can be opened. */
import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber } from '../../../base/format.js';
import { LESSON_ENTRIES, type LessonEntry, SHORT_COURSE } from '../../../model/lesson/contents.js';
import { type Language } from '../../../model/lesson/local-text.js';
import { type Lesson } from '../../../model/lesson/schema.js';
import { localText } from './words.js';

export interface CourseActions {
  readonly onOpen: (lesson: string) => void;
  readonly onOpenOwn: (lesson: string) => void;
  readonly onFile: (file: File) => void;
  readonly onWords: () => void;
}

/** `linkOf` gives the link to a lesson; `own` are the lessons of a file that was opened. */
export function courseList(
  language: Language,
  own: readonly Lesson[],
  linkOf: (lesson: string) => string,
  actions: CourseActions,
): TemplateResult {
  const minutes = LESSON_ENTRIES.reduce((sum, lesson) => sum + lesson.minutes, 0);
  const steps = LESSON_ENTRIES.reduce((sum, lesson) => sum + lesson.steps.length, 0);
  const [lessonsText, stepsText, minutesText] = [LESSON_ENTRIES.length, steps, minutes].map((n) => formatNumber(n));
  return html`
    <div class="course">
      <header>
        <h2>${msg('Why memory runs out while memory is free', { desc: 'title of the course' })}</h2>
        <p class="lead">
          ${msg(
            str`${lessonsText} lessons, ${stepsText} steps, about ${minutesText} minutes. Predict, run, see, keep one sentence.`,
            {
              desc: 'lesson list: what the course is',
            },
          )}
        </p>
        <p class="hint">
          ${msg('For 45 minutes take the lessons with a mark.', { desc: 'lesson list: which lessons make a short workshop' })}
        </p>
      </header>
      <ol class="lessons">
        ${LESSON_ENTRIES.map((lesson, i) => lessonItem(lesson, i + 1, language, linkOf, actions))}
      </ol>
      ${own.length === 0 ? nothing : ownLessons(own, language, actions)}
      <div class="others">
        <label class="file">
          <span>${msg('Open a lesson file', { desc: 'lesson list: file field' })}</span>
          <input type="file" accept=".json,application/json" @change=${(event: Event) => takeFile(event, actions)} />
        </label>
        <p class="hint">
          ${msg('Or drop one here. It is checked and stays in this browser.', { desc: 'lesson list: about lesson files' })}
        </p>
        <button @click=${actions.onWords}>
          ${msg('Glossary and sayings', { desc: 'button: opens the list of words' })}
        </button>
      </div>
    </div>
  `;
}

function lessonItem(
  { id, title, minutes, goal, steps }: LessonEntry,
  number: number,
  language: Language,
  linkOf: (lesson: string) => string,
  actions: CourseActions,
): TemplateResult {
  const isShort = SHORT_COURSE.includes(id);
  const [stepsText, minutesText] = [formatNumber(steps.length), formatNumber(minutes)];
  return html`
    <li>
      <a
        href=${linkOf(id)}
        @click=${(event: MouseEvent) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          actions.onOpen(id);
        }}
      >
        <span class="number" aria-hidden="true">${number}</span>
        <span class="title">${localText(title, language)}</span>
        <span class="time">
          ${isShort ? html`<span class="mark">${msg('short course', { desc: 'mark of a lesson in the list' })}</span>` : nothing}
          ${
            stepsText === '1'
              ? msg(str`1 step, ${minutesText} min`, { desc: 'lesson list: how long a lesson is' })
              : msg(str`${stepsText} steps, ${minutesText} min`, { desc: 'lesson list: how long a lesson is' })
          }
        </span>
        <span class="goal">${localText(goal, language)}</span>
      </a>
    </li>
  `;
}

function ownLessons(own: readonly Lesson[], language: Language, actions: CourseActions): TemplateResult {
  return html`
    <h2>${msg('From your file', { desc: 'lesson list: heading of the lessons of an opened file' })}</h2>
    <ul class="lessons">
      ${own.map(
        ({ id, title, goal }) => html`
          <li>
            <button class="own" @click=${() => actions.onOpenOwn(id)}>
              <span class="title">${localText(title, language)}</span>
              <span class="goal">${localText(goal, language)}</span>
            </button>
          </li>
        `,
      )}
    </ul>
  `;
}

function takeFile(event: Event, { onFile }: CourseActions): void {
  const { target } = event;
  if (!(target instanceof HTMLInputElement)) return;
  const [file] = target.files ?? [];
  if (file !== undefined) onFile(file);
  target.value = '';
}
