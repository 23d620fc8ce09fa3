/**
 * Formulas as text that is also the computation: what a table shows is what was evaluated, so the two cannot differ.
 * Numbers, names, `+ - * /`, brackets, and `ceil`, `min`, `max`.
 *
 *     evaluate('2 * P / N', { P: 7e9, N: 8 }); // 1.75e9
 *     withNumbers('2 * P / N', { P: 7e9, N: 8 }); // '2 * 7,000,000,000 / 8'
 */
import { formatNumber } from '../../base/format.js';

export type Values = Readonly<Record<string, number>>;

const TOKEN = /\s*(?:([0-9]+(?:\.[0-9]+)?(?:e[0-9]+)?)|([A-Za-z][A-Za-z0-9_]*)|([-+*/(),]))/y;
const FUNCTIONS: Readonly<Record<string, (values: readonly number[]) => number>> = {
  ceil: ([value = NaN]) => Math.ceil(value),
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
};

/** The value of a formula. A name without a value, or text that is no formula, is a bug of ours: a plain Error. */
export function evaluate(formula: string, values: Values): number {
  const reader = new Reader(formula, values);
  const result = reader.sum();
  if (reader.next !== '') throw new Error(`formula "${formula}": "${reader.next}" is unexpected`);
  return result;
}

/** The formula with its numbers put in; names without a value stay. */
export const withNumbers = (formula: string, values: Values): string =>
  formula.replace(/[A-Za-z][A-Za-z0-9_]*/g, (name) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? name : numberText(value);
  });

/** The names in a formula that have a value, with that value. */
export function valuesIn(formula: string, values: Values): Values {
  const used: Record<string, number> = {};
  for (const name of formula.match(/[A-Za-z][A-Za-z0-9_]*/g) ?? []) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value !== undefined) used[name] = value;
  }
  return used;
}

const numberText = (value: number): string => (Number.isInteger(value) ? formatNumber(value) : String(value));

class Reader {
  readonly #formula: string;
  readonly #values: Values;
  #at = 0;
  /** The token that comes next; empty at the end. */
  next = '';

  constructor(formula: string, values: Values) {
    this.#formula = formula;
    this.#values = values;
    this.#advance();
  }

  sum(): number {
    let total = this.#product();
    while (this.next === '+' || this.next === '-') {
      const sign = this.#take() === '+' ? 1 : -1;
      total += sign * this.#product();
    }
    return total;
  }

  #product(): number {
    let total = this.#factor();
    while (this.next === '*' || this.next === '/') {
      if (this.#take() === '*') total *= this.#factor();
      else total /= this.#factor();
    }
    return total;
  }

  #factor(): number {
    const token = this.#take();
    if (token === '(') {
      const inner = this.sum();
      this.#expect(')');
      return inner;
    }
    if (/^[0-9]/.test(token)) return Number(token);
    const call = this.next === '(' && Object.hasOwn(FUNCTIONS, token) ? FUNCTIONS[token] : undefined;
    if (call !== undefined) return call(this.#arguments());
    const value = Object.hasOwn(this.#values, token) ? this.#values[token] : undefined;
    if (value === undefined) throw new Error(`formula "${this.#formula}": "${token}" has no value`);
    return value;
  }

  #arguments(): number[] {
    this.#expect('(');
    const values = [this.sum()];
    while (this.next === ',') {
      this.#take();
      values.push(this.sum());
    }
    this.#expect(')');
    return values;
  }

  #expect(token: string): void {
    if (this.#take() !== token) throw new Error(`formula "${this.#formula}": "${token}" is missing`);
  }

  #take(): string {
    const token = this.next;
    this.#advance();
    return token;
  }

  #advance(): void {
    TOKEN.lastIndex = this.#at;
    const match = TOKEN.exec(this.#formula);
    if (match === null) {
      const rest = this.#formula.slice(this.#at).trim();
      if (rest !== '') throw new Error(`formula "${this.#formula}": "${rest}" cannot be read`);
      this.next = '';
      return;
    }
    this.#at = TOKEN.lastIndex;
    this.next = match[1] ?? match[2] ?? match[3] ?? '';
  }
}
