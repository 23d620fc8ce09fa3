/** The lab in Simplified Chinese: one file of texts for each room, and in `said/` one for each room of the models. */
import diagnose from './zh-hans/diagnose.json';
import lab from './zh-hans/lab.json';
import lesson from './zh-hans/lesson.json';
import measure from './zh-hans/measure.json';
import memory from './zh-hans/memory.json';
import plan from './zh-hans/plan.json';
import shell from './zh-hans/shell.json';
import saidDiagnose from './zh-hans/said/diagnose.json';
import saidAllocators from './zh-hans/said/allocators.json';
import saidFiles from './zh-hans/said/files.json';
import saidLessons from './zh-hans/said/lessons.json';
import saidPlan from './zh-hans/said/plan.json';
import saidReports from './zh-hans/said/reports.json';
import saidSizes from './zh-hans/said/sizes.json';
import saidWorkloads from './zh-hans/said/workloads.json';
import { sentenceReader } from './sentence-reader.js';
import { localeOf } from './templates.js';

export const locale = localeOf({ ...diagnose, ...lab, ...lesson, ...measure, ...memory, ...plan, ...shell });

/** Reads what the models say. */
export const readSentence = sentenceReader({
  ...saidDiagnose,
  ...saidWorkloads,
  ...saidAllocators,
  ...saidFiles,
  ...saidLessons,
  ...saidPlan,
  ...saidReports,
  ...saidSizes,
});
