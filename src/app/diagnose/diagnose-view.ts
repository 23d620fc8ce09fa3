/** What a link to Diagnose can say: which example is open, the question, the place in the trace. Never what is in a file. */
import { parseSize } from '../../base/sizes.js';
import { messageOf } from '../../base/errors.js';
import { type LinkProblem } from '../url-state.js';

/** Which picture of the trace is shown: memory by origin, reserved and holes, or the map of the segments. */
export const PICTURES = ['origin', 'tracks', 'maps'] as const;
export type Picture = (typeof PICTURES)[number];

export interface DiagnoseView {
  /** Example to open on an empty desk. */
  readonly sample: 'snapshot' | 'text' | undefined;
  /** As written in the field, a size; '' for what the recording says. */
  readonly capacity: string;
  readonly conf: string | undefined;
  /** Entry of the trace at the playhead; undefined: the failure, or the end. */
  readonly event: number | undefined;
  readonly picture: Picture;
}

export const DEFAULT_VIEW: DiagnoseView = {
  sample: undefined,
  capacity: '',
  conf: undefined,
  event: undefined,
  picture: 'origin',
};

const LONGEST_TEXT = 500;

/** Reads the page's part of a link. Never throws: what cannot be read is named, the rest holds. */
export function readDiagnoseView(text: string): {
  readonly view: DiagnoseView;
  readonly problems: readonly LinkProblem[];
} {
  let view = DEFAULT_VIEW;
  const problems: LinkProblem[] = [];
  for (const [key, value] of new URLSearchParams(text)) {
    const event = value === '' ? NaN : Number(value);
    const picture = PICTURES.find((each) => each === value);
    if (key === 'sample' && (value === 'snapshot' || value === 'text')) view = { ...view, sample: value };
    else if (key === 'capacity' && capacityProblem(value) === '') view = { ...view, capacity: value };
    else if (key === 'conf' && value.length <= LONGEST_TEXT) view = { ...view, conf: value };
    else if (key === 'event' && Number.isSafeInteger(event) && event >= 0) view = { ...view, event };
    else if (key === 'picture' && picture !== undefined) view = { ...view, picture };
    else problems.push({ kind: 'unreadable', key, value });
  }
  return { view, problems };
}

/** The text that `readDiagnoseView` turns back into the same view. */
export function writeDiagnoseView({ sample, capacity, conf, event, picture }: DiagnoseView): string {
  const parameters = new URLSearchParams();
  if (sample !== undefined) parameters.set('sample', sample);
  if (capacity !== '') parameters.set('capacity', capacity);
  if (conf !== undefined) parameters.set('conf', conf);
  if (event !== undefined) parameters.set('event', String(event));
  if (picture !== DEFAULT_VIEW.picture) parameters.set('picture', picture);
  return parameters.toString();
}

/** What is wrong with a size as it is written, '' for nothing. */
export function capacityProblem(capacity: string): string {
  if (capacity.trim() === '') return '';
  try {
    parseSize(capacity, 'capacity');
    return '';
  } catch (error) {
    return messageOf(error);
  }
}

/** Why PyTorch refuses a settings string, in its own words; '' where it takes it. Its readers are fetched with the call. */
export async function settingsProblem(conf: string): Promise<string> {
  if (conf.trim() === '') return '';
  const { Settings } = await import('../../model/allocator/caching/settings.js');
  try {
    new Settings('2.6').read(conf);
    return '';
  } catch (error) {
    return messageOf(error);
  }
}
