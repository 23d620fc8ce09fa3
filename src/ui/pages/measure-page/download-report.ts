import { reportFileName, reportOf, type StartedRun } from '../../../app/run-report.js';

/** Saves the report of a run as a file. Nothing is sent: the file is made in this page. */
export function downloadReport(run: StartedRun): void {
  const report = reportOf(run);
  const url = URL.createObjectURL(new Blob([JSON.stringify(report, undefined, 1)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = reportFileName(report);
  link.click();
  URL.revokeObjectURL(url);
}
