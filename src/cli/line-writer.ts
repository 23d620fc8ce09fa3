/**
 * Many lines into a file or stdout without holding them: blocks go out as they fill. A file appears whole or not at all:
 * it is written beside its place and renamed at the end.
 */
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { unusable } from './files.js';
import { writeResult } from './output.js';

const BLOCK = 1 << 16;

export class LineWriter {
  readonly #path: string;
  readonly #target: string;
  /** Where the bytes go until the end; the place itself for a device or pipe. */
  readonly #written: string;
  #file: FileHandle | undefined;
  #lines: string[] = [];
  #length = 0;

  private constructor(path: string) {
    this.#path = path;
    this.#target = resolve(path);
    const existing = statSync(this.#target, { throwIfNoEntry: false });
    const isPlain = existing === undefined || existing.isFile();
    this.#written = isPlain ? `${this.#target}.${randomBytes(4).toString('hex')}.part` : this.#target;
  }

  /** `-` is stdout. Throws `AppError` (`bad-input`) for a place that cannot be written. */
  static async open(path: string): Promise<LineWriter> {
    const writer = new LineWriter(path);
    if (path !== '-') {
      try {
        writer.#file = await open(writer.#written, 'w');
      } catch (error) {
        throw unusable(path, 'write', error);
      }
    }
    return writer;
  }

  add(line: string): void {
    this.#lines.push(line);
    this.#length += line.length + 1;
  }

  /** Hands out what has gathered, when it is enough. Awaited between parts, so that memory stays bounded. */
  async drain(least = BLOCK): Promise<void> {
    if (this.#length < least || this.#length === 0) return;
    const text = `${this.#lines.join('\n')}\n`;
    this.#lines = [];
    this.#length = 0;
    if (this.#file === undefined) {
      await writeResult(text);
      return;
    }
    try {
      await this.#file.writeFile(text);
    } catch (error) {
      throw unusable(this.#path, 'write', error);
    }
  }

  /** Everything is written: the file takes its place. */
  async finish(): Promise<void> {
    await this.drain(0);
    if (this.#file === undefined) return;
    await this.#file.close();
    this.#file = undefined;
    if (this.#written !== this.#target) await rename(this.#written, this.#target);
  }

  /** Something went wrong: the file does not appear. Does nothing after `finish`. */
  async discard(): Promise<void> {
    if (this.#file === undefined) return;
    await this.#file.close();
    this.#file = undefined;
    if (this.#written !== this.#target) await rm(this.#written, { force: true });
  }
}
