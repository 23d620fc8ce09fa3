// @ts-check
/**
 * The messages of the lab as its source has them, `msg()` of the screens and `say` of the models, beside the translations in
 * `src/app/locales`. A message is keyed by its English words, with `{0}`, `{1}` ... for what is put in: a changed sentence is a
 * new key, and its old translation is unused.
 *
 *     node scripts/messages.mjs           what is missing, as JSON to translate, with where each is used; then what is unused
 *     node scripts/messages.mjs --prune   takes the unused ones out
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOMS = ['src/app', 'src/ui'];
/** Where sentences are given as data. */
const SAYING_ROOMS = ['src/base', 'src/model', 'src/gpu', 'src/engine', 'src/app'];
const CATALOGUES = 'src/app/locales/zh-hans';
const SAID_CATALOGUES = join(CATALOGUES, 'said');
/** Of words that the workloads carry without a mark: the catalogue of workloads has them all. */
const UNMARKED = join(SAID_CATALOGUES, 'workloads.json');

/**
 * @typedef {object} Message
 * @property {string} text English, with {0} for what is put in
 * @property {string} desc
 * @property {string} where file and line
 */
/** @typedef {{ messages: Message[], problems: string[] }} Found */

/** @param {string} folder @returns {string[]} */
const sourcesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.ts') && !/\.(test|types|d)\.ts$/.test(name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('/testing/'))
    .sort();

/** @param {ts.Node | undefined} node @returns {string | undefined} the words of a literal, undefined for anything computed */
function wordsOf(node) {
  if (node === undefined) return undefined;
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTaggedTemplateExpression(node) || !/^(str|html)$/.test(node.tag.getText())) return undefined;
  return templateWords(node.template);
}

/** @param {ts.TemplateLiteral} template @returns {string} */
const templateWords = (template) =>
  ts.isNoSubstitutionTemplateLiteral(template)
    ? template.text
    : template.templateSpans.reduce(
        (text, { literal }, index) => `${text}{${index}}${literal.text}`,
        template.head.text,
      );

/** @param {ts.Node | undefined} node @returns {string} */
function descOf(node) {
  if (node === undefined || !ts.isObjectLiteralExpression(node)) return '';
  const desc = node.properties.find((property) => property.name?.getText() === 'desc');
  return desc !== undefined && ts.isPropertyAssignment(desc) ? (wordsOf(desc.initializer) ?? '') : '';
}

/** @param {string} path @param {string} text @returns {Found} every `msg()` of a source file */
export function messagesIn(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  /** @type {Found} */
  const found = { messages: [], problems: [] };
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'msg') {
      const where = `${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
      const words = wordsOf(node.arguments[0]);
      if (words === undefined) found.problems.push(`${where}: msg() wants its words as a literal`);
      else found.messages.push({ text: words, desc: descOf(node.arguments[1]), where });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** @param {string} path @param {string} text @returns {Message[]} every sentence that a source file marks with `say` */
export function sayingsIn(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  /** @type {Message[]} */
  const found = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'say') {
      const where = `${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
      // As `say` joins the lines of the source.
      found.push({ text: templateWords(node.template).replace(/\s*\n\s*/g, ' '), desc: 'said by a model', where });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Rooms all of whose sentences reach a screen; a bug's own message does not. */
const MARKED_ROOMS = ['src/model/diagnose'];
const SENTENCE = /[a-z]{2,}(?:,? [a-z]{2,}){3,}/;

/** @param {string} path @param {string} text @returns {string[]} sentences that no `say` marks, one line each */
export function unsaidIn(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  /** @type {string[]} */
  const lines = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isNewExpression(node) && node.expression.getText() === 'Error') return;
    // What other programs print, to be found in their logs.
    if (ts.isCallExpression(node) && node.expression.getText() === 'field') return;
    const isSaid = ts.isTemplateLiteral(node) && ts.isTaggedTemplateExpression(node.parent);
    if (ts.isStringLiteral(node) || (ts.isTemplateLiteral(node) && !isSaid)) {
      const words = ts.isStringLiteral(node) ? node.text : templateWords(node);
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      if (SENTENCE.test(words)) lines.push(`${path}:${line + 1}: ${words}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lines;
}

/** @returns {string[]} all such sentences of the rooms that mark theirs */
export const readUnsaid = () =>
  MARKED_ROOMS.flatMap(sourcesBelow).flatMap((path) => unsaidIn(path, readFileSync(path, 'utf8')));

/** @returns {Message[]} every sentence that the models say */
export const readSayings = () =>
  SAYING_ROOMS.flatMap(sourcesBelow).flatMap((path) => sayingsIn(path, readFileSync(path, 'utf8')));

const SHOWN_ATTRIBUTES = /\b(?:aria-label|title|placeholder|alt|aria-roledescription)="([^"\0]*\p{L}{2}[^"\0]*)"/gu;
const NO_WORDS = /<!--.*?-->|<(kbd|code)\b[^>]*>.*?<\/\1>|<[^>]*>/gs;

/** @param {string} path @param {string} text @returns {string[]} words in HTML that no `msg()` holds, one line each */
export function bareWordsIn(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  /** @type {string[]} */
  const lines = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'msg') return;
    if (ts.isTaggedTemplateExpression(node) && /^(html|svg)$/.test(node.tag.getText())) {
      const { template } = node;
      const markup = ts.isNoSubstitutionTemplateLiteral(template)
        ? template.text
        : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)].join('\0');
      const attributes = [...markup.matchAll(SHOWN_ATTRIBUTES)].map(([, words = '']) => words);
      const words = markup.replace(NO_WORDS, '\0').match(/[^\0]*\p{L}{2}[^\0]*/gu) ?? [];
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      for (const bare of [...attributes, ...words]) lines.push(`${path}:${line + 1}: ${bare.trim()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lines;
}

/** @returns {string[]} all such words of the lab */
export const readBareWords = () =>
  ROOMS.flatMap(sourcesBelow).flatMap((path) => bareWordsIn(path, readFileSync(path, 'utf8')));

/** @returns {string[]} elements that do not draw themselves again when the language changes */
export const readStuckElements = () =>
  ROOMS.flatMap(sourcesBelow).filter((path) => {
    const text = readFileSync(path, 'utf8');
    return text.includes('@customElement(') && !text.includes('@localized()');
  });

/** @returns {Found} every message of the lab */
export function readMessages() {
  const all = ROOMS.flatMap(sourcesBelow).map((path) => messagesIn(path, readFileSync(path, 'utf8')));
  return { messages: all.flatMap(({ messages }) => messages), problems: all.flatMap(({ problems }) => problems) };
}

/** @param {string} folder @returns {{ file: string, texts: Record<string, string> }[]} the translations, a file each */
const cataloguesIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(folder, name))
    .map((file) => ({ file, texts: JSON.parse(readFileSync(file, 'utf8')) }));

/** Translations of `msg()`. */
export const readCatalogues = () => cataloguesIn(CATALOGUES);
/** Translations of what the models say. */
export const readSaidCatalogues = () => cataloguesIn(SAID_CATALOGUES);

/** @param {string} text @returns {string[]} the places of a text, sorted: how often each stands in it counts */
const placesOf = (text) => (text.match(/\{\d+\}/g) ?? []).sort();

/**
 * What is wrong between messages and translations, one line each: untranslated, unused, translated twice, or with other
 * places than the English has.
 *
 * @param {Message[]} messages @param {{ file: string, texts: Record<string, string> }[]} catalogues
 * @returns {string[]}
 */
export function compareTexts(messages, catalogues) {
  const used = new Map(messages.map((message) => [message.text, message]));
  /** @type {Map<string, string>} */
  const seen = new Map();
  const lines = catalogues.flatMap(({ file, texts }) =>
    Object.entries(texts).flatMap(([english, translated]) => {
      const earlier = seen.get(english);
      seen.set(english, file);
      const quoted = JSON.stringify(english);
      if (earlier !== undefined) return [`${file}: ${quoted} is translated in ${earlier} too`];
      if (!used.has(english)) return [`${file}: ${quoted} is not used any more`];
      if (translated.trim() === '') return [`${file}: ${quoted} has no words`];
      return placesOf(english).join() === placesOf(translated).join()
        ? []
        : [`${file}: ${quoted} has other places than its translation ${JSON.stringify(translated)}`];
    }),
  );
  const missing = [...used.values()].filter(({ text }) => !seen.has(text));
  return [...lines, ...missing.map(({ text, where }) => `${where}: ${JSON.stringify(text)} is not translated`)];
}

/**
 * Prints what is missing and what is unused.
 *
 * @param {Message[]} messages @param {{ file: string, texts: Record<string, string> }[]} catalogues @param {boolean} prune
 */
function tell(messages, catalogues, prune) {
  const known = new Set(catalogues.flatMap(({ texts }) => Object.keys(texts)));
  const used = new Set(messages.map(({ text }) => text));
  let last = '';
  for (const { text, desc, where } of messages) {
    if (known.has(text)) continue;
    known.add(text);
    const file = where.split(':')[0] ?? '';
    if (file !== last) console.log(`// ${file}`);
    last = file;
    console.log(`${JSON.stringify(text)}: "", // ${desc}`);
  }
  for (const { file, texts } of catalogues) {
    if (file === UNMARKED) continue;
    const unused = Object.keys(texts).filter((text) => !used.has(text));
    for (const text of unused) console.log(`unused: ${file}: ${JSON.stringify(text)}`);
    if (!prune || unused.length === 0) continue;
    const kept = Object.fromEntries(Object.entries(texts).filter(([text]) => used.has(text)));
    writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
  }
}

function main() {
  const prune = process.argv.includes('--prune');
  const { messages, problems } = readMessages();
  tell(messages, readCatalogues(), prune);
  for (const problem of problems) console.log(problem);
  tell(readSayings(), readSaidCatalogues(), prune);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
