/** Cuts, doubles or dirties a text in a few places. */
import { type Random } from '../../../base/random.js';

const ALPHABET = ' \n|.(){}[];:0123456789GiBMKbytesfree<>\u001b\\"';

export function mutatedText(original: string, random: Random): string {
  let text = original;
  for (let edits = 1 + (random() % 6); edits > 0; edits--) {
    const at = random() % (text.length + 1);
    const kind = random() % 4;
    const length = random() % 40;
    if (kind === 0) text = text.slice(0, at) + text.slice(at + length);
    else if (kind === 1) text = text.slice(0, at) + (ALPHABET[random() % ALPHABET.length] ?? '') + text.slice(at);
    else if (kind === 2) text = text.slice(0, at) + text.slice(Math.max(0, at - length), at) + text.slice(at);
    else text = text.slice(0, at);
  }
  return text;
}
