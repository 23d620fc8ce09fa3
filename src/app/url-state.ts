/**
 * What a link carries: page, look and the state of the page, in the hash, with a version (`#lab?v=1&theme=dark&pair=code`).
 * Only what differs from the defaults is written. A link with a version means the defaults for what it does not name; the
 * look (theme, language, keys) stays the reader's own. A damaged link is refused in words, part by part: the good parts hold.
 *
 * The shell reads the look and, for Measure, the run settings. What else a link to another page says is the page's own:
 * it is handed over as text (`view`) and read by the code of that page.
 */
import * as v from 'valibot';
import { type Language, LANGUAGES } from '../model/lesson/local-text.js';
import { PRESETS } from '../model/report/schema.js';
import { AVAILABLE_SUITES } from '../model/report/suites.js';
import { DEFAULT_MODEL, MODEL_FIELDS, type ModelSettings } from './model-settings.js';
import { DEFAULT_SETTINGS, type RunSettings } from './settings.js';

export const URL_VERSION = 1;
/** The first page, and the one whose settings the shell keeps. */
export const HOME = 'measure';
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** What links and the browser's memory both keep. */
export interface Preferences {
  readonly theme: Theme;
  readonly language: Language;
  /** Whether single letters are commands (WCAG 2.1.4 wants them switchable). */
  readonly keys: boolean;
  readonly settings: RunSettings;
  /** Presenter mode: a larger root, and only what carries the point. */
  readonly presenting: boolean;
  /** The model of the training estimate. */
  readonly model: ModelSettings;
}

export type LinkProblem =
  | { readonly kind: 'newer-version'; readonly version: string }
  /** The version is no number. */
  | { readonly kind: 'unreadable-version'; readonly version: string }
  | { readonly kind: 'unreadable'; readonly key: string; readonly value: string }
  /** A place behind the end of what is shown; `last` is the last place there is. */
  | { readonly kind: 'past-end'; readonly key: string; readonly value: string; readonly last: number }
  | { readonly kind: 'unknown-page'; readonly page: string }
  | { readonly kind: 'texts-missing' };

export interface ReadLink {
  /** Undefined when the link names a page that is not there. */
  readonly page: string | undefined;
  readonly preferences: Preferences;
  /** The page's own parameters (`pair=code&t=11`), '' for the defaults; undefined when the link says nothing of them. */
  readonly view: string | undefined;
  readonly problems: readonly LinkProblem[];
}

const LONGEST_TEXT = 500;
const suite = v.picklist(AVAILABLE_SUITES);
const suites = v.pipe(
  v.string(),
  v.transform((text) => (text === '' ? [] : [...new Set(text.split(','))])),
  v.array(suite),
);
const freeText = v.pipe(v.string(), v.maxLength(LONGEST_TEXT));
/** One reader a key; each is also the check of what the browser remembers. */
const LOOK_READERS = {
  theme: v.picklist(THEMES),
  lang: v.picklist(LANGUAGES),
  keys: v.pipe(
    v.picklist(['on', 'off']),
    v.transform((text) => text === 'on'),
  ),
  present: v.pipe(
    v.picklist(['0', '1']),
    v.transform((text) => text === '1'),
  ),
};
const READERS = {
  ...LOOK_READERS,
  suites,
  preset: v.picklist(PRESETS),
  filter: freeText,
  budget: freeText,
  seed: freeText,
  parameters: freeText,
  weights: freeText,
  gradients: freeText,
  optimiser: freeText,
  memory: freeText,
};
type Key = keyof typeof READERS;
type ReadParts = Partial<
  RunSettings &
    ModelSettings &
    Pick<Preferences, 'theme' | 'keys'> & { readonly lang: Language; readonly present: boolean }
>;
const SETTINGS_KEYS = ['suites', 'preset', 'filter', 'budget', 'seed'] as const;
const isKey = (key: string): key is Key => Object.hasOwn(READERS, key);
const isLook = (key: string): boolean => Object.hasOwn(LOOK_READERS, key);

/**
 * Reads a hash over `base` (what the browser remembers). `pages` are the names there are. Never throws: what cannot be
 * read is named in `problems`.
 */
export function readHash(hash: string, base: Preferences, pages: readonly string[]): ReadLink {
  const [path, query] = split(hash.replace(/^#/, ''));
  const named = path === '' ? HOME : path;
  const page = pages.includes(named) ? named : undefined;
  const problems: LinkProblem[] = page === undefined ? [{ kind: 'unknown-page', page: path }] : [];
  const parameters = new URLSearchParams(query);
  const version = parameters.get('v') ?? String(URL_VERSION);
  if (version !== String(URL_VERSION)) {
    problems.push({ kind: /^\d+$/.test(version) ? 'newer-version' : 'unreadable-version', version });
    return { page, preferences: base, view: undefined, problems };
  }
  const isWhole = parameters.has('v');
  parameters.delete('v');
  const read: Partial<Record<Key, unknown>> = {};
  const rest = new URLSearchParams();
  for (const [key, value] of parameters) {
    if (page !== HOME && !isLook(key)) rest.append(key, value);
    else {
      const result = isKey(key) ? v.safeParse(READERS[key], value) : undefined;
      if (result?.success === true && isKey(key)) read[key] = result.output;
      else problems.push({ kind: 'unreadable', key, value });
    }
  }
  const view = isWhole || rest.size > 0 ? rest.toString() : undefined;
  return { page, preferences: preferencesOf(read, base, { isWhole, isHome: page === HOME }), view, problems };
}

/** A link with a version (`isWhole`) means the defaults for what it does not name, but leaves the reader's look alone. */
function preferencesOf(
  read: Partial<Record<Key, unknown>>,
  base: Preferences,
  { isWhole, isHome }: { readonly isWhole: boolean; readonly isHome: boolean },
): Preferences {
  const { theme = base.theme, lang: language = base.language, keys = base.keys, present, ...rest } = read as ReadParts;
  const settings = { ...(isWhole && isHome ? DEFAULT_SETTINGS : base.settings) };
  const model = { ...(isWhole && isHome ? DEFAULT_MODEL : base.model) };
  for (const key of SETTINGS_KEYS) if (rest[key] !== undefined) Object.assign(settings, { [key]: rest[key] });
  for (const key of MODEL_FIELDS) if (rest[key] !== undefined) Object.assign(model, { [key]: rest[key] });
  return { theme, language, keys, settings, presenting: present ?? (isWhole ? false : base.presenting), model };
}

function split(text: string): [string, string] {
  const at = text.indexOf('?');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** The hash that `readHash` turns back into the same page, look and view. */
export function writeHash(
  page: string,
  { theme, language, keys, settings, presenting, model }: Preferences,
  view = '',
): string {
  const parameters = new URLSearchParams({ v: String(URL_VERSION) });
  if (theme !== 'system') parameters.set('theme', theme);
  if (language !== 'en') parameters.set('lang', language);
  if (!keys) parameters.set('keys', 'off');
  if (presenting) parameters.set('present', '1');
  if (page === HOME) {
    for (const key of SETTINGS_KEYS) {
      const value = String(settings[key]);
      if (value !== String(DEFAULT_SETTINGS[key])) parameters.set(key, value);
    }
    for (const key of MODEL_FIELDS) if (model[key] !== DEFAULT_MODEL[key]) parameters.set(key, model[key]);
  } else for (const [key, value] of new URLSearchParams(view)) parameters.append(key, value);
  return `#${page}?${parameters.toString()}`;
}
