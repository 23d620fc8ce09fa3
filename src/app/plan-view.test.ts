import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CARD_FIELDS, DEFAULT_VIEW, PLAN_FIELDS, type PlanFields, readPlanView, writePlanView } from './plan-view.js';

const texts = fc.string({ maxLength: 20 });
const fields = fc.record(Object.fromEntries(Object.keys(PLAN_FIELDS).map((key) => [key, texts])));
const card = fc.record(Object.fromEntries(Object.keys(CARD_FIELDS).map((key) => [key, texts])));
const whole = (given: Record<string, string>): PlanFields => ({ ...PLAN_FIELDS, ...given });

it('the defaults are an empty link', () => {
  expect(writePlanView(DEFAULT_VIEW)).toBe('');
  expect(readPlanView('')).toEqual({ view: DEFAULT_VIEW, problems: [] });
});

it('any view comes back from its link', () => {
  fc.assert(
    fc.property(fields, fc.option(fields, { nil: undefined }), card, (a, b, shared) => {
      const view = { a: whole(a), b: b === undefined ? undefined : whole(b), card: { ...CARD_FIELDS, ...shared } };
      expect(readPlanView(writePlanView(view))).toEqual({ view, problems: [] });
    }),
  );
});

it('names what it does not know and keeps the rest', () => {
  const { view, problems } = readPlanView('arch=gpt2&colour=red&b.colour=red&b=2');
  expect(view.a.arch).toBe('gpt2');
  expect(view.b).toBeUndefined();
  expect(problems.map((problem) => ('key' in problem ? problem.key : ''))).toEqual(['colour', 'b.colour', 'b']);
});
