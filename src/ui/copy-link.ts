import { msg } from '@lit/localize';

/** Copies a link; the words say whether the browser let it be. */
export async function copyLink(link: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(link);
  } catch {
    // Not allowed here, or the page lost the focus: the address bar has the same link.
    return msg('The browser did not let the link be copied. The address bar shows it.', { desc: 'status' });
  }
  return msg('The link was copied.', { desc: 'status' });
}
