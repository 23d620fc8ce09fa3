/** The lab in Simplified Chinese: one file of texts for each room. */
import diagnose from './zh-hans/diagnose.json';
import lab from './zh-hans/lab.json';
import lesson from './zh-hans/lesson.json';
import measure from './zh-hans/measure.json';
import memory from './zh-hans/memory.json';
import plan from './zh-hans/plan.json';
import shell from './zh-hans/shell.json';
import workloads from './zh-hans/workloads.json';
import { localeOf } from './templates.js';

export const locale = localeOf({
  ...diagnose,
  ...lab,
  ...lesson,
  ...measure,
  ...memory,
  ...plan,
  ...shell,
  ...workloads,
});
