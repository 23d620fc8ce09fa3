/** Makes the files that the Lab gives away. Nothing is sent. */
import { labReportOf } from '../../../app/lab/lab-report.js';
import { type LabState } from '../../../app/lab/lab-model.js';
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
  { plan, fits, real, brought, view }: LabState,
  { lab, link, picture }: ExportSources,
): Promise<string | undefined> {
  if (plan.status !== 'usable') return undefined;
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
      const report = labReportOf({ sides, fits, real, link });
      return save(`${stem}.json`, new Blob([JSON.stringify(report, undefined, 2)], { type: LAB_REPORT_TYPE }));
    }
  }
}

const LAB_REPORT_TYPE = 'application/json';
