import { describe, expect, it } from 'vitest';
import { readSource } from './read-source.js';

const bytes = Uint8Array.from({ length: 5000 }, (_, i) => (i * i) % 251);
const gzip = async (content: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(
    await new Response(new Blob([content]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer(),
  );
const quiet = (): void => undefined;

/** A file of which the system gives the first piece and then says no, in one of the shapes that browsers have for it. */
class GoneFile extends Blob {
  readonly #first: Uint8Array<ArrayBuffer>;
  readonly #error: unknown;

  constructor(first: Uint8Array<ArrayBuffer>, error: unknown) {
    super([first]);
    this.#first = first;
    this.#error = error;
  }

  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    const first = this.#first.subarray(0, this.#first.length >> 1);
    let isGiven = false;
    return new ReadableStream({
      pull: (controller) => {
        if (isGiven) throw this.#error;
        isGiven = true;
        controller.enqueue(first);
      },
    });
  }
}

describe('readSource', () => {
  it('gives every byte of a file, plain and packed, and tells how far it is in the file', async () => {
    for (const content of [bytes, await gzip(bytes)]) {
      const told: number[] = [];
      const read = await readSource(new Blob([content]), 'file', (done, total) => {
        expect(total).toBe(content.length);
        told.push(done);
      });
      expect(read).toEqual(bytes);
      expect(told.at(-1)).toBe(content.length);
    }
    expect(await readSource(new Blob([]), 'empty', quiet)).toHaveLength(0);
  });

  it('says of a file that is gone what to do, whatever the system calls it, packed or not', async () => {
    for (const error of [new TypeError('network error'), new DOMException('no longer there', 'NotReadableError')]) {
      for (const content of [bytes, await gzip(bytes)]) {
        await expect(readSource(new GoneFile(content, error), 'gone.pickle', quiet)).rejects.toMatchObject({
          message: 'gone.pickle cannot be read; it was moved, changed or is locked. Open it again.',
          failure: { kind: 'bad-input', what: 'gone.pickle' },
        });
      }
    }
  });

  it('tells a damaged gzip file from one that is gone', async () => {
    const packed = await gzip(bytes);
    await expect(readSource(new Blob([packed.subarray(0, 200)]), 'half.gz', quiet)).rejects.toThrow(
      /half\.gz is a damaged gzip file: it unpacks to byte \d+ and no further/,
    );
  });
});
