/**
 * Arithmetic of lesson files: numbers, + - * / **, brackets, floor, ceil, round, min, max, and the functions a caller adds.
 * A small reader of its own, because a lesson file comes from anywhere and must never be run as code.
 *
 *     evaluate('floor(2039*8/14)'); // 1165
 *     compare('latency(256MiB) >= 2 * latency(64KiB)', { latency: (size) => ... }); // true or false
 */
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';

/** A function on the text of its arguments: `latency(256MiB)` gets `256MiB`. */
export type Functions = Readonly<Record<string, (...args: readonly string[]) => number>>;

const ARITHMETIC: Readonly<Record<string, (...args: readonly number[]) => number>> = {
  floor: Math.floor,
  ceil: Math.ceil,
  round: Math.round,
  min: Math.min,
  max: Math.max,
};
const TOKEN = /\s*(\d+(?:\.\d+)?(?:e[+-]?\d+)?|\*\*|>=|<=|[-+*/(),<>]|[a-z][A-Za-z0-9]*)/y;
/** Brackets in brackets: deeper than any arithmetic, shallower than the stack. */
const DEEPEST = 50;

/** The value of an arithmetic expression. Throws `AppError` (`bad-input`), one line that names the place. */
export function evaluate(text: string, functions: Functions = {}): number {
  const reader = new Reader(text, functions);
  const value = reader.sum();
  reader.end();
  if (!Number.isFinite(value)) throw badInput(text, say`"${text}" has no finite value`);
  return value;
}

/** Whether a comparison of two expressions holds. Throws as `evaluate` does. */
export function compare(text: string, functions: Functions): boolean {
  const reader = new Reader(text, functions);
  const left = reader.sum();
  const sign = reader.take('>=', '<=', '>', '<');
  if (sign === undefined) throw reader.refused(say`a comparison (>=, <=, > or <)`);
  const right = reader.sum();
  reader.end();
  if (sign === '>=') return left >= right;
  if (sign === '<=') return left <= right;
  return sign === '>' ? left > right : left < right;
}

class Reader {
  #at = 0;
  #depth = 0;

  constructor(
    readonly text: string,
    readonly functions: Functions,
  ) {}

  /** Terms joined by + and -. */
  sum(): number {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw badInput(this.text, say`"${this.text.slice(0, 40)}...": brackets lie too deep`);
    let value = this.#product();
    for (let sign = this.take('+', '-'); sign !== undefined; sign = this.take('+', '-')) {
      value += sign === '+' ? this.#product() : -this.#product();
    }
    this.#depth -= 1;
    return value;
  }

  /** The next token if it is one of these, and past it. */
  take(...wanted: readonly string[]): string | undefined {
    const token = this.#peek();
    if (token === undefined || !wanted.includes(token.text)) return undefined;
    this.#at = token.end;
    return token.text;
  }

  end(): void {
    if (this.text.slice(this.#at).trim() !== '') throw this.refused(say`an operator or the end`);
  }

  refused(wanted: string) {
    return badInput(this.text, say`"${this.text}": expected ${wanted} at character ${this.#at + 1}`);
  }

  #product(): number {
    let value = this.#power();
    for (let sign = this.take('*', '/'); sign !== undefined; sign = this.take('*', '/')) {
      value = sign === '*' ? value * this.#power() : value / this.#power();
    }
    return value;
  }

  /** `**` binds tighter than a minus before it, and from the right. */
  #power(): number {
    if (this.take('-') !== undefined) return -this.#power();
    const base = this.#atom();
    return this.take('**') === undefined ? base : base ** this.#power();
  }

  #atom(): number {
    if (this.take('(') !== undefined) {
      const value = this.sum();
      if (this.take(')') === undefined) throw this.refused(say`a closing bracket`);
      return value;
    }
    const token = this.#peek();
    if (token === undefined) throw this.refused(say`a number`);
    if (/^\d/.test(token.text)) {
      this.#at = token.end;
      return Number(token.text);
    }
    return this.#call(token);
  }

  #call({ text: name, end }: { readonly text: string; readonly end: number }): number {
    if (!/^[a-z]/.test(name)) throw this.refused(say`a number`);
    const given = Object.hasOwn(this.functions, name) ? this.functions[name] : undefined;
    const arithmetic = Object.hasOwn(ARITHMETIC, name) ? ARITHMETIC[name] : undefined;
    if (given === undefined && arithmetic === undefined) {
      const known = [...Object.keys(ARITHMETIC), ...Object.keys(this.functions)].join(', ');
      throw badInput(this.text, say`"${this.text}": "${name}" is not known; the functions are ${known}`);
    }
    this.#at = end;
    if (this.take('(') === undefined) throw this.refused(say`an opening bracket after ${name}`);
    if (given !== undefined) return given(...this.#texts());
    const values = [this.sum()];
    while (this.take(',') !== undefined) values.push(this.sum());
    if (this.take(')') === undefined) throw this.refused(say`a closing bracket`);
    return arithmetic?.(...values) ?? Number.NaN;
  }

  /** The arguments of a caller's function, as they are written. */
  #texts(): readonly string[] {
    const close = this.text.indexOf(')', this.#at);
    if (close < 0) throw this.refused(say`a closing bracket`);
    const inside = this.text.slice(this.#at, close);
    this.#at = close + 1;
    return inside.split(',').map((part) => part.trim());
  }

  #peek(): { readonly text: string; readonly end: number } | undefined {
    TOKEN.lastIndex = this.#at;
    const match = TOKEN.exec(this.text);
    return match === null ? undefined : { text: match[1] ?? '', end: TOKEN.lastIndex };
  }
}
