/**
 * The operations of a lesson, as people write them: `a NAME SIZE CATEGORY` allocates, `f NAME` frees, `e` empties the
 * cache, `m LABEL` marks a place; `b1..b11/2` stands for several names, `x100 a t 16MiB T | f t` repeats.
 *
 *     operationsTrace('checkerboard', ['a b1..b12 5MiB A', 'f b1..b11/2', 'a z 12MiB T']);
 */
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { parseSize } from '../../base/sizes.js';
import { TraceBuilder } from '../trace/trace-builder.js';
import { CATEGORY, type Trace } from '../trace/trace.js';

/** Longest trace of a lesson: what a page replays while people wait. */
export const MOST_OPERATIONS = 200_000;

const LETTERS: Readonly<Record<string, number>> = {
  P: CATEGORY.parameter,
  G: CATEGORY.gradient,
  O: CATEGORY.optimizer,
  A: CATEGORY.activation,
  T: CATEGORY.temporary,
  C: CATEGORY.communication,
};
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const RANGE = /^([A-Za-z_][A-Za-z0-9_]*?)(\d{1,6})\.\.([A-Za-z_][A-Za-z0-9_]*?)(\d{1,6})(?:\/([1-9]\d{0,5}))?$/;
const REPEAT = /^x([1-9]\d{0,5})\s+(.*)$/;

/**
 * The trace of these lines, each tensor under its name. A name may be used again once it is freed.
 * `where` stands at the start of messages. Throws `AppError` (`bad-input`): one line with the line and what is wrong.
 */
export function operationsTrace(where: string, lines: readonly string[]): Trace {
  const program = new Operations(where);
  lines.forEach((line, i) => program.line(line, i + 1));
  return program.finish();
}

class Operations {
  readonly #builder: TraceBuilder;
  /** Ids of the tensors that are alive, by name. */
  readonly #alive = new Map<string, number>();
  #tensors = 0;
  #place = '';

  constructor(readonly where: string) {
    this.#builder = new TraceBuilder(where);
  }

  line(line: string, number: number): void {
    this.#place = say`${this.where}: operation line ${number} ("${line.slice(0, 60)}")`;
    const repeated = REPEAT.exec(line);
    const times = Number(repeated?.[1] ?? 1);
    const parts = (repeated?.[2] ?? line).split('|').map((part) => part.trim());
    if (repeated === null && parts.length > 1) throw this.#refused(say`"|" stands only after a repeat, as in x3 A | B`);
    for (let i = 0; i < times; i++) for (const part of parts) this.#operation(part);
  }

  finish(): Trace {
    return this.#builder.finish();
  }

  #operation(text: string): void {
    const [verb = '', ...rest] = text.split(/\s+/);
    if (verb === 'm' && rest.length > 0) this.#builder.mark(rest.join(' '));
    else if (verb === 'e' && rest.length === 0) this.#builder.emptyCache();
    else if (verb === 'f' && rest.length === 1) for (const name of this.#names(rest[0] ?? '')) this.#free(name);
    else if (verb === 'a' && rest.length === 3) this.#allocate(rest);
    else throw this.#refused(say`write "a NAME SIZE CATEGORY", "f NAME", "e" or "m LABEL"`);
    if (this.#builder.length > MOST_OPERATIONS) {
      throw this.#refused(say`more than ${MOST_OPERATIONS} operations; repeat less often`);
    }
  }

  #allocate([names = '', size = '', letter = '']: readonly string[]): void {
    const category = Object.hasOwn(LETTERS, letter) ? LETTERS[letter] : undefined;
    if (category === undefined) throw this.#refused(say`the category "${letter}" is not one of P G O A T C`);
    const bytes = parseSize(size, this.#place);
    for (const name of this.#names(names)) {
      if (this.#alive.has(name))
        throw this.#refused(say`"${name}" is still there; free it before its name is used again`);
      this.#tensors += 1;
      this.#alive.set(name, this.#tensors);
      this.#builder.allocate(this.#tensors, bytes, 0, category, name);
      if (this.#tensors > MOST_OPERATIONS) throw this.#refused(say`more than ${MOST_OPERATIONS} operations`);
    }
  }

  #free(name: string): void {
    const id = this.#alive.get(name);
    if (id === undefined) throw this.#refused(say`no tensor "${name}" is there to free`);
    this.#alive.delete(name);
    this.#builder.free(id);
  }

  #names(text: string): readonly string[] {
    if (NAME.test(text)) return [text];
    const range = RANGE.exec(text);
    if (range === null || range[1] !== range[3]) {
      throw this.#refused(say`"${text}" is no name; write letters and digits, or a range such as b1..b12 or b1..b11/2`);
    }
    const [stem = '', from, to, step] = [range[1], Number(range[2]), Number(range[4]), Number(range[5] ?? 1)];
    const names: string[] = [];
    const sign = from <= to ? 1 : -1;
    for (let i = from; sign * i <= sign * to && names.length <= MOST_OPERATIONS; i += sign * step) {
      names.push(`${stem}${i}`);
    }
    return names;
  }

  #refused(why: string) {
    return badInput(this.where, say`${this.#place}: ${why}`);
  }
}
