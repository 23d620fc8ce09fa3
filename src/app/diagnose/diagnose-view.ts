/** What a link to Diagnose can say: which example is open, the question, the place in the trace. Never what is in a file. */
import { type LinkProblem } from '../url-state.js';

export interface DiagnoseView {
  /** Example to open on an empty desk. */
  readonly sample: 'snapshot' | 'text' | undefined;
  /** As written in the field; '' for what the recording says. */
  readonly capacity: string;
  readonly conf: string | undefined;
  /** Entry of the trace at the playhead; undefined: the failure, or the end. */
  readonly event: number | undefined;
}

export const DEFAULT_VIEW: DiagnoseView = { sample: undefined, capacity: '', conf: undefined, event: undefined };

const LONGEST_TEXT = 500;

/** Reads the page's part of a link. Never throws: what cannot be read is named, the rest holds. */
export function readDiagnoseView(text: string): {
  readonly view: DiagnoseView;
  readonly problems: readonly LinkProblem[];
} {
  let view = DEFAULT_VIEW;
  const problems: LinkProblem[] = [];
  for (const [key, value] of new URLSearchParams(text)) {
    const event = Number(value);
    if (key === 'sample' && (value === 'snapshot' || value === 'text')) view = { ...view, sample: value };
    else if (key === 'capacity' && value.length <= LONGEST_TEXT) view = { ...view, capacity: value };
    else if (key === 'conf' && value.length <= LONGEST_TEXT) view = { ...view, conf: value };
    else if (key === 'event' && Number.isSafeInteger(event) && event >= 0) view = { ...view, event };
    else problems.push({ kind: 'unreadable', key, value });
  }
  return { view, problems };
}

/** The text that `readDiagnoseView` turns back into the same view. */
export function writeDiagnoseView({ sample, capacity, conf, event }: DiagnoseView): string {
  const parameters = new URLSearchParams();
  if (sample !== undefined) parameters.set('sample', sample);
  if (capacity !== '') parameters.set('capacity', capacity);
  if (conf !== undefined) parameters.set('conf', conf);
  if (event !== undefined) parameters.set('event', String(event));
  return parameters.toString();
}
