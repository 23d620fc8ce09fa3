/** The sums of a verdict card as tables of an exported page. */
import { formatBytes } from '../../base/format.js';
import { sumsOf } from '../../model/diagnose/card/sums.js';
import { type Diagnosis } from '../../model/diagnose/diagnosis.js';
import { type ReportTable } from '../../model/diagnose/tables.js';
import { sumLabelWords, sumTitle } from './diagnose-words.js';

const SIGNS = { plus: '+', minus: '\u2212', none: '' } as const;

/** One table a sum; the last row is what the others come to. */
export const sumsTables = (diagnosis: Diagnosis): ReportTable[] =>
  sumsOf(diagnosis).map((sum) => ({
    title: sumTitle(sum),
    about: '',
    header: ['', '', ''],
    rows: [...sum.lines, sum.result].map((line, index) => [
      index === sum.lines.length ? '=' : SIGNS[line.sign],
      sumLabelWords(line.label, line.pieces),
      formatBytes(line.bytes),
    ]),
  }));
