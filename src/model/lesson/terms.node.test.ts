/** Chinese keeps the English word where a term is met first (design/SPEC.md 6): along the course, and in the glossary. */
import { describe, expect, it } from 'vitest';
import { loadLesson } from './built-in.js';
import { LESSON_ENTRIES } from './contents.js';
import { type Lesson, type Step } from './schema.js';
import { loadWords } from './words.js';

/** What a room reads at once: the name and goal of a lesson, or one step with its answers and its reveal. */
interface Passage {
  readonly place: string;
  readonly text: string;
}

/** A term inside other words is none: 一块 is a measure word, 阶段 a stage. */
const OTHER_WORDS: ReadonlyMap<string, RegExp> = new Map([
  ['块', /[一整模]块/gu],
  ['段', /[阶一]段/gu],
  ['流', /流(?:传|程|行)|主流/gu],
]);
/** As many characters may stand between a term and its English: 占住它所在的段（pin）. */
const NEAR = 6;

const passagesOf = ({ id, title, goal, steps }: Lesson): readonly Passage[] => [
  { place: id, text: [title.zh, goal.zh].join('\n') },
  ...steps.map((step) => ({ place: step.id, text: stepText(step) })),
];

const stepText = ({ question, setup, choices, reveal, takeaway }: Step): string =>
  [question, setup, ...choices.flatMap(({ text, misconception }) => [text, misconception]), reveal, takeaway]
    .map((text) => text?.zh ?? '')
    .join('\n');

/** Whether the Chinese of a term stands in a text as that term. */
function uses(text: string, chinese: string): boolean {
  const others = OTHER_WORDS.get(chinese);
  return (others === undefined ? text : text.replaceAll(others, '')).includes(chinese);
}

/** Whether one of the English words stands in brackets behind the term, or beside it in the brackets that it stands in. */
function hasEnglish(text: string, chinese: string, english: readonly string[]): boolean {
  return english.some((word) =>
    new RegExp(`${chinese}[^，。；\\n]{0,${NEAR}}（[^）]*${word}|${chinese}，${word}）`, 'u').test(text),
  );
}

async function course(): Promise<readonly Passage[]> {
  const lessons = await Promise.all(LESSON_ENTRIES.map(({ id }) => loadLesson(id)));
  return lessons.flatMap(passagesOf);
}

const { glossary } = await loadWords();
const passages = await course();

describe('terms in Chinese', () => {
  it.each(glossary.map(({ term }) => [term.zh, term.en]))('%s keeps %s where the course uses it first', (zh, en) => {
    const first = passages.find(({ text }) => uses(text, zh));
    if (first === undefined) return; // A word of the screens, not of the course.
    expect(hasEnglish(first.text, zh, en.split(', ')), `${first.place}: ${first.text}`).toBe(true);
  });

  it('are looked for: most of the glossary is used by the course', () => {
    const used = glossary.filter(({ term }) => passages.some(({ text }) => uses(text, term.zh)));
    expect(used.length).toBeGreaterThan(30);
  });

  it('the check finds a term without its English, and takes no measure word for one', () => {
    expect(hasEnglish('一个空洞放得下', '空洞', ['hole'])).toBe(false);
    expect(hasEnglish('一个空洞（hole）放得下', '空洞', ['hole'])).toBe(true);
    expect(hasEnglish('只留输入（重计算，recompute）', '重计算', ['recompute'])).toBe(true);
    expect([uses('一块内存', '块'), uses('各阶段', '段'), uses('这个块', '块')]).toEqual([false, false, true]);
  });

  it('the table of contents says what the lessons say', async () => {
    for (const { id, title, goal } of LESSON_ENTRIES) {
      const lesson = await loadLesson(id);
      expect([title, goal], id).toEqual([lesson.title, lesson.goal]);
    }
  });
});
