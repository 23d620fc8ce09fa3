/**
 * Sentences that the models give as data: a reason, a step, advice. They are English wherever they are made, kept in a file
 * or printed; the mark only lets `scripts/messages.mjs` find them, so that the page has each in every language
 * (`modelWords` in `src/app/model-words.ts` reads a sentence back into the one it was made from).
 *
 *     say`${formatBytes(asked)} were needed; ${formatBytes(free)} are free`
 *     say`a long sentence may break after a word,
 *       and goes on as if it had not`
 *
 * What is put in may be another marked sentence. A word that bends (1 block, 2 blocks) is two sentences.
 */

/** The sentence. A line break in the words, with the spaces around it, is one space. */
export const say = (words: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
  words.reduce((text, part, index) => `${text}${values[index - 1] ?? ''}${unbroken(part)}`, '');

const unbroken = (words: string): string => words.replace(/\s*\n\s*/g, ' ');
