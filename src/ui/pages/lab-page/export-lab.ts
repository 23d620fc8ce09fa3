/** Makes the files that the Lab gives away. Nothing is sent. */
import { labReportOf } from '../../../app/lab/lab-report.js';
import { type LabState } from '../../../app/lab/lab-state.js';
import { type LabPort } from '../../../app/lab/lab-port.js';
import { type LabExport } from '../../parts/lab-export/lab-export.js';
import { saveFile } from '../measure-page/save-file.js';

/** What cannot be made from the state alone. */
interface ExportSources {
  readonly lab: LabPort;
  readonly link: string;
  readonly picture: () => Promise<Blob>;
}

/** Saves one file and returns its name; undefined where the sides are not usable yet. */
export async function exportLab(
  what: Exclude<LabExport, 'link'>,
  state: LabState,
  { lab, link, picture }: ExportSources,
): Promise<string | undefined> {
  const { plan, sides: shown, fits, real, brought, view } = state;
  if (plan.status !== 'usable') return undefined;
  const createdAt = new Date().toISOString();
  const [a, b] = plan.sides;
  const stem = `vramlab-${brought === undefined ? view.settings.workload : brought.name.replace(/\W+/g, '-')}`;
  const save = (name: string, content: Blob): string => {
    saveFile(name, content);
    return name;
  };
  switch (what) {
    case 'trace-a':
      return save(`${stem}-a.trace.json`, await lab.traceFile(a.program));
    case 'trace-b':
      return save(`${stem}-b.trace.json`, await lab.traceFile(b.program));
    case 'snapshot-a':
      return save(`${stem}-a.pickle`, await lab.snapshot(a.program, a.setup));
    case 'snapshot-b':
      return save(`${stem}-b.pickle`, await lab.snapshot(b.program, b.setup));
    case 'picture':
      return save(`${stem}.png`, await picture());
    case 'report': {
      const sides = [await lab.report(a.program, a.setup), await lab.report(b.program, b.setup)] as const;
      const report = labReportOf({ sides, shown, fits, real, link, createdAt });
      return save(`${stem}.json`, new Blob([JSON.stringify(report, undefined, 2)], { type: 'application/json' }));
    }
    case 'page': {
      const { labHtml } = await import('../../../app/lab/lab-html.js');
      const language = document.documentElement.lang;
      const page = labHtml({ state, link, createdAt, language, picture: await dataUrl(await picture()) });
      return save(`${stem}.html`, new Blob([page], { type: 'text/html' }));
    }
  }
}

/** A picture as text for `src`. */
const dataUrl = (picture: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    const refuse = () => reject(new Error('the picture cannot be read', { cause: reader.error }));
    reader.onload = () => (typeof reader.result === 'string' ? resolve(reader.result) : refuse());
    reader.onerror = refuse;
    reader.readAsDataURL(picture);
  });
