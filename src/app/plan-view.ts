/**
 * What the Plan page shows, as a person edits it: text fields, so that a half-typed value stays on screen, one or two
 * plans, one card. The same fields are the page's part of a link. Turning them into a plan: `plan-reading.ts`.
 */
import { type LinkProblem } from './url-state.js';

/** The fields of one plan. Texts; switches are '1' or ''. */
export const PLAN_FIELDS = {
  /** Name of an architecture; '' for a count of parameters; `config` for a file. */
  arch: 'llama-2-7b',
  /** An architecture read from a file, as JSON. */
  config: '',
  params: '7e9',
  layers: '',
  hidden: '',
  heads: '',
  vocab: '',
  batch: '4',
  seq: '2048',
  mode: 'train',
  precision: 'fp16',
  optimizer: 'adam',
  master: '1',
  zero: '3',
  dp: '8',
  tp: '1',
  pp: '1',
  stage: '0',
  sp: '',
  recompute: 'none',
  flash: '1',
  accumulate: '1',
  offload: 'none',
  weights: 'native',
} as const;
export type PlanField = keyof typeof PLAN_FIELDS;
export type PlanFields = Readonly<Record<PlanField, string>>;

/** What both plans share. */
export const CARD_FIELDS = { capacity: '80 GiB', context: '', allocator: 'caching', conf: '' } as const;
export type CardField = keyof typeof CARD_FIELDS;
export type CardFields = Readonly<Record<CardField, string>>;

export type PlanSide = 'a' | 'b';

export interface PlanView {
  readonly a: PlanFields;
  /** The second plan; undefined where there is one. */
  readonly b: PlanFields | undefined;
  readonly card: CardFields;
}

export const DEFAULT_VIEW: PlanView = { a: PLAN_FIELDS, b: undefined, card: CARD_FIELDS };

const LONGEST = 4000;
const isPlanField = (key: string): key is PlanField => Object.hasOwn(PLAN_FIELDS, key);
const isCardField = (key: string): key is CardField => Object.hasOwn(CARD_FIELDS, key);

/** The view as its part of a link: what differs from the defaults, of the second plan what differs from the first. */
export function writePlanView({ a, b, card }: PlanView): string {
  const parameters = new URLSearchParams();
  for (const key of Object.keys(PLAN_FIELDS).filter(isPlanField)) {
    if (a[key] !== PLAN_FIELDS[key]) parameters.set(key, a[key]);
  }
  for (const key of Object.keys(CARD_FIELDS).filter(isCardField)) {
    if (card[key] !== CARD_FIELDS[key]) parameters.set(key, card[key]);
  }
  if (b !== undefined) {
    parameters.set('b', '1');
    for (const key of Object.keys(PLAN_FIELDS).filter(isPlanField))
      if (b[key] !== a[key]) parameters.set(`b.${key}`, b[key]);
  }
  return parameters.toString();
}

/** Reads what `writePlanView` wrote. Never throws: keys that are not known are named, and left out. */
export function readPlanView(text: string): { readonly view: PlanView; readonly problems: readonly LinkProblem[] } {
  const a: Record<string, string> = { ...PLAN_FIELDS };
  const card: Record<string, string> = { ...CARD_FIELDS };
  const second: Record<string, string> = {};
  const problems: LinkProblem[] = [];
  let isPair = false;
  for (const [key, value] of new URLSearchParams(text)) {
    const own = key.startsWith('b.') ? key.slice(2) : key;
    if (value.length > LONGEST) problems.push({ kind: 'unreadable', key, value: `${value.slice(0, 20)}...` });
    else if (key === 'b' && value === '1') isPair = true;
    else if (own !== key && isPlanField(own)) second[own] = value;
    else if (isPlanField(key)) a[key] = value;
    else if (isCardField(key)) card[key] = value;
    else problems.push({ kind: 'unreadable', key, value });
  }
  const first = { ...PLAN_FIELDS, ...a };
  return {
    view: { a: first, b: isPair ? { ...first, ...second } : undefined, card: { ...CARD_FIELDS, ...card } },
    problems,
  };
}
