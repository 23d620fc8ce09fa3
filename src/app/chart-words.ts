/** The words of the charts, translated, in the shape that the drawings take. */
import { msg, str } from '@lit/localize';
import { languageTag } from './locale.js';
import { listWords, modelWords } from './model-words.js';
import { type FigureWords } from '../model/report/charts/figures.js';
import { type TierBarWords } from '../model/report/charts/tier-bars.js';
import { type ReportLanguage } from '../model/report/report-language.js';
import { flagWords } from './words.js';

export const figureWords = (): FigureWords => ({
  workingSet: msg('working set', { desc: 'title of the x axis' }),
  kernel: msg('kernel', { desc: 'label on the line of the kernel' }),
  chase: msg('pointer chase', { desc: 'label on the line of latency' }),
  runTiers: msg('Run tiers to draw this.', { desc: 'in the empty chart' }),
  instructionBound: msg(
    'The kernel line is flat while the copy line has steps: each element costs more instructions than memory time.',
    { desc: 'in the chart of an instruction-bound adapter' },
  ),
  bandUpTo: (value, size) => msg(str`${value} to ${size}`, { desc: 'tier band: plateau value and up to which size' }),
  bandFrom: (value, size) => msg(str`${value} from ${size}`, { desc: 'tier band: plateau value and from which size' }),
  said: modelWords,
});

export const tierBarWords = (): TierBarWords => ({
  register: msg('Register', { desc: 'tier bar' }),
  workgroup: msg('Workgroup', { desc: 'tier bar' }),
  global: msg('Global', { desc: 'tier bar' }),
  caches: msg('Caches', { desc: 'tier bar' }),
  notMeasured: msg('not measured in this run', { desc: 'tier bar without a figure' }),
  instructionBound: msg('not resolved: instruction bound', { desc: 'tier bar without a figure' }),
  kernel: msg('kernel', { desc: 'tier bar: how it was got' }),
  copy: msg('copy', { desc: 'tier bar: how it was got' }),
  said: modelWords,
});

/** The language of the page, for a report that people read. */
export const reportLanguage = (): ReportLanguage => ({
  tag: languageTag(),
  words: modelWords,
  list: listWords,
  flag: flagWords,
  figures: figureWords(),
  tiers: tierBarWords(),
});
