/** A lesson file in a link: compressed, in letters that a link may hold. Nothing is sent anywhere: the link is the file. */
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { LARGEST_FILE } from '../../model/lesson/limits.js';

/** Longest link part that browsers and chats carry. */
const LONGEST_PACKED = 30_000;

/** Packs a file. Throws `AppError` (`bad-input`) for one that is too large for a link: it is then shared as a file. */
export async function packLesson(text: string): Promise<string> {
  const packed = await piped(new Blob([text]).stream(), new CompressionStream('deflate-raw'));
  // Four letters hold three bytes.
  const length = Math.ceil((packed.length * 4) / 3);
  if (length > LONGEST_PACKED) {
    throw badInput(
      'link',
      say`link: this lesson takes ${length} characters, a link holds ${LONGEST_PACKED}; share it as a file`,
    );
  }
  return btoa(String.fromCharCode(...packed))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** The file in a link. Throws `AppError` (`bad-input`) for a part that was cut or changed, or that unpacks to over 1 MiB. */
export async function unpackLesson(letters: string): Promise<string> {
  const damaged = badInput('link', say`link: the lesson in it is damaged or cut; copy the whole link again`);
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    const binary = atob(letters.replaceAll('-', '+').replaceAll('_', '/'));
    bytes = await piped(
      new Blob([Uint8Array.from(binary, (letter) => letter.charCodeAt(0))]).stream(),
      new DecompressionStream('deflate-raw'),
      LARGEST_FILE,
    );
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw damaged;
  }
}

/** What comes out of a stream. Stops with a `RangeError` past `most` bytes: a small link can unpack to gigabytes. */
async function piped(
  source: ReadableStream<Uint8Array<ArrayBuffer>>,
  through: CompressionStream | DecompressionStream,
  most = Infinity,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = source.pipeThrough<Uint8Array<ArrayBuffer>>(through).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    length += next.value.length;
    if (length <= most) continue;
    await reader.cancel();
    throw new RangeError('too long');
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
