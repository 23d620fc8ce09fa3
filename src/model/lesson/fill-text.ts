/** Texts of a lesson hold `{name}`: the number of that name is put there, from the run that was just made. */
import { type StepResult } from './run-step.js';

const PLACE = /\{([A-Za-z][A-Za-z0-9]*)\}/g;

/** A piece of a text: words as they are, or a number with its name. */
export type Piece =
  { readonly kind: 'words'; readonly text: string } | { readonly kind: 'number'; readonly name: string };

/** The names that a text asks for, in order. */
export const namesIn = (text: string): readonly string[] => [...text.matchAll(PLACE)].map(([, name = '']) => name);

/** A text in pieces, so that a screen can set numbers apart. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(PLACE)) {
    if (match.index > at) pieces.push({ kind: 'words', text: text.slice(at, match.index) });
    pieces.push({ kind: 'number', name: match[1] ?? '' });
    at = match.index + match[0].length;
  }
  if (at < text.length) pieces.push({ kind: 'words', text: text.slice(at) });
  return pieces;
}

/** A text with its numbers filled in. */
export function fillText(text: string, { numbers }: Pick<StepResult, 'numbers'>): string {
  return piecesOf(text)
    .map((piece) => (piece.kind === 'words' ? piece.text : (numbers.get(piece.name)?.shown ?? `{${piece.name}}`)))
    .join('');
}
