/**
 * The language of a report that people read (HTML). What machines read (JSON, CSV, JUnit, and Markdown, which is pasted into
 * issues and looked through by scripts) is English everywhere, and so are names of rows, variants and classes.
 */
import { ENGLISH_FIGURE_WORDS, type FigureWords } from './charts/figures.js';
import { ENGLISH_TIER_WORDS, type TierBarWords } from './charts/tier-bars.js';

export interface ReportLanguage {
  /** `lang` of the document. */
  readonly tag: string;
  /** A sentence of the models in this language. */
  readonly words: (sentence: string) => string;
  /** Words one after the other. */
  readonly list: (parts: readonly string[]) => string;
  /** The short name of a flag. */
  readonly flag: (flag: string) => string;
  readonly figures: FigureWords;
  readonly tiers: TierBarWords;
}

export const ENGLISH_REPORT: ReportLanguage = {
  tag: 'en',
  words: (sentence) => sentence,
  list: (parts) => parts.join(', '),
  flag: (flag) => flag,
  figures: ENGLISH_FIGURE_WORDS,
  tiers: ENGLISH_TIER_WORDS,
};
