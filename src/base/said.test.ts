import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { say } from './said.js';

describe('a marked sentence', () => {
  it('is the sentence', () => {
    expect(say`nothing to put in`).toBe('nothing to put in');
    expect(say`${2} of ${'three'}, in braces {0}`).toBe('2 of three, in braces {0}');
    expect(say`${0}${''}`).toBe('0');
  });

  it('joins lines of the source with one space, and leaves those of what is put in', () => {
    expect(say`one
      two ${'a\n  b'}
      three`).toBe('one two a\n  b three');
  });

  it('keeps what is put in as it is', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(say`from ${a} to ${b}.`).toBe(`from ${a} to ${b}.`);
      }),
    );
  });
});
