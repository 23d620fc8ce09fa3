/**
 * The pages, in the order of their tabs. A new page is one entry here and one folder beside this file: the tab, the link
 * `#NAME?v=1`, the commands "Go to ..." and the lazily loaded code follow from it. A page that is not made has no entry.
 */
import { msg } from '@lit/localize';
import { type PageEntry } from './page.js';

export const PAGES: readonly PageEntry[] = [
  {
    name: 'measure',
    title: () => msg('Measure', { desc: 'page: tab and heading' }),
    load: async () => new (await import('./measure-page/measure-page.js')).MeasurePage(),
  },
  {
    name: 'lab',
    title: () => msg('Lab', { desc: 'page: tab and heading' }),
    load: async () => new (await import('./lab-page/lab-page.js')).LabPage(),
  },
  {
    name: 'diagnose',
    title: () => msg('Diagnose', { desc: 'page: tab and heading' }),
    load: async () => new (await import('./diagnose-page/diagnose-page.js')).DiagnosePage(),
  },
  {
    name: 'plan',
    title: () => msg('Plan', { desc: 'page: tab and heading' }),
    load: async () => new (await import('./plan-page/plan-page.js')).PlanPage(),
  },
  {
    name: 'lesson',
    title: () => msg('Lesson', { desc: 'page: tab and heading' }),
    load: async () => new (await import('./lesson-page/lesson-page.js')).LessonPage(),
  },
];
