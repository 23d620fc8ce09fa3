import { linkOfReport } from '../../../app/lab/lab-report.js';
import { AppError } from '../../../base/errors.js';

/** Reports are small; a larger file is a trace. */
const LARGEST_REPORT = 8 * 2 ** 20;

/** What a file is to the Lab: a report of its own, with the link in it, or something else. */
export async function reportLink(
  file: File,
): Promise<
  | { readonly kind: 'link'; readonly hash: string }
  | { readonly kind: 'refused'; readonly words: string }
  | { readonly kind: 'other' }
> {
  if (file.size > LARGEST_REPORT) return { kind: 'other' };
  try {
    const hash = linkOfReport(await file.text(), file.name);
    return hash === undefined ? { kind: 'other' } : { kind: 'link', hash };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'refused', words: error.message };
  }
}
