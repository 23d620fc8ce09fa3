import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compare, evaluate } from './expression.js';

test.each([
  ['80*256*1024', 20971520],
  ['14e9/2039e9*1000', (14e9 / 2039e9) * 1000],
  ['floor(2039*8/14)', 1165],
  ['(34*2048*4096+5*32*2048**2)*32', 30601641984],
  ['2**3**2', 512],
  ['-2**2', -4],
  ['2 - -3', 5],
  ['max(1, 2+3, min(9, 4))', 5],
  ['ceil(1.2) + round(2.5)', 5],
  ['1e-3', 0.001],
])('%s is %d', (text, value) => {
  expect(evaluate(text)).toBe(value);
});

test.each([
  ['', /expected a number at character 1/],
  ['1 +', /expected a number at character 4/],
  ['(1', /expected a closing bracket/],
  ['1 2', /expected an operator or the end at character 2/],
  ['sqrt(2)', /"sqrt" is not known; the functions are floor, ceil, round, min, max/],
  ['constructor(1)', /"constructor" is not known/],
  ['floor 2', /expected an opening bracket after floor/],
  ['1/0', /has no finite value/],
  ['alert(1)', /"alert" is not known/],
  ['2;3', /expected an operator or the end/],
  [`${'('.repeat(60)}1${')'.repeat(60)}`, /brackets lie too deep/],
])('refuses %s', (text, message) => {
  expect(() => evaluate(text)).toThrow(message);
});

/** An expression as a tree, and its value. */
type Tree = number | { readonly sign: '+' | '-' | '*'; readonly left: Tree; readonly right: Tree };
const write = (tree: Tree): string =>
  typeof tree === 'number' ? String(tree) : `(${write(tree.left)}${tree.sign}${write(tree.right)})`;
function valueOf(tree: Tree): number {
  if (typeof tree === 'number') return tree;
  const [left, right] = [valueOf(tree.left), valueOf(tree.right)];
  if (tree.sign === '*') return left * right;
  return tree.sign === '+' ? left + right : left - right;
}

test('the value of what is written is the value of its tree', () => {
  const { tree } = fc.letrec<{ readonly tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      fc.integer({ min: 0, max: 1000 }),
      fc.record({ sign: fc.constantFrom('+', '-', '*'), left: tie('tree'), right: tie('tree') }),
    ),
  }));
  fc.assert(
    fc.property(tree, (each) => {
      // A minus zero is a zero to a person.
      expect(evaluate(write(each)) + 0).toBe(valueOf(each) + 0);
    }),
  );
});

test('compares with the functions of the caller, whose arguments are texts', () => {
  const latency = (size: string) => (size === '256MiB' ? 339 : 33);
  expect(compare('latency(256MiB) >= 2 * latency(64KiB)', { latency })).toBe(true);
  expect(compare('latency(64KiB) > latency(64KiB)', { latency })).toBe(false);
  expect(compare('latency(64KiB) >= latency(64KiB)', { latency })).toBe(true);
  expect(compare('latency(64KiB) <= latency(256MiB)', { latency })).toBe(true);
  expect(compare('latency(64KiB) < latency(64KiB)', { latency })).toBe(false);
  expect(() => compare('latency(64KiB)', { latency })).toThrow(/expected a comparison/);
});
