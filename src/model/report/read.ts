/**
 * Reads a benchmark report from text. Old versions are upgraded step by step, newer ones refused by name; a file that is
 * cut, is not JSON or follows another schema is refused by name too. Nothing is guessed.
 *
 *     const report = readReport(text, 'run.json');
 */
import * as v from 'valibot';
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { issueWords } from './issue-words.js';
import { REPORT_SCHEMA, REPORT_VERSION, type Report, reportSchema } from './schema.js';

/** Turns a report of version n into one of version n + 1. */
type Upgrade = (report: Readonly<Record<string, unknown>>) => Record<string, unknown>;

/** From which version to which: `UPGRADES[1]` makes version 2 of version 1. Empty while there is only one version. */
const UPGRADES: Readonly<Record<number, Upgrade>> = {};

/** `name` (a file name) begins every refusal. Throws `AppError` (`bad-input`), one line. */
export function readReport(text: string, name: string): Report {
  const header = checkHeader(parseJson(text, name), name);
  const upgraded = upgrade(header.report, header.version, name);
  return checkReport(upgraded, name);
}

/** The first thing in which a value breaks the report's schema, with its path; undefined when it keeps it. */
export function reportFlaw(value: unknown): string | undefined {
  const result = v.safeParse(reportSchema, value);
  return result.success ? undefined : describeIssue(result.issues[0]);
}

function checkReport(value: unknown, name: string): Report {
  const result = v.safeParse(reportSchema, value);
  if (result.success) return result.output;
  const flaw = describeIssue(result.issues[0]);
  throw badInput(name, say`${name}: not a valid ${REPORT_SCHEMA} (version ${REPORT_VERSION}): ${flaw}`);
}

const describeIssue = (issue: v.BaseIssue<unknown>): string =>
  say`${v.getDotPath(issue) ?? say`the top level`}: ${issueWords(issue)}`;

function parseJson(text: string, name: string): unknown {
  if (text.trim() === '') throw badInput(name, say`${name}: the file is empty; expected a ${REPORT_SCHEMA} file`);
  try {
    return JSON.parse(text);
  } catch {
    throw badInput(
      name,
      isCut(text)
        ? say`${name}: the file is cut (its JSON ends after ${text.length} characters, unfinished); write it again`
        : say`${name}: not JSON; expected a ${REPORT_SCHEMA} file, as \`vramlab bench --out\` writes it`,
    );
  }
}

/** Whether text that does not parse is a JSON object that stops before its last brace, inside a string or outside. */
function isCut(text: string): boolean {
  if (!text.trimStart().startsWith('{')) return false;
  const withoutStrings = text.replace(/"(?:[^"\\]|\\.)*"/gs, '');
  const depth = withoutStrings.split('{').length - withoutStrings.split('}').length;
  return depth > 0 || withoutStrings.includes('"');
}

function checkHeader(
  value: unknown,
  name: string,
): { readonly version: number; readonly report: Record<string, unknown> } {
  const header = v.safeParse(v.looseObject({ schema: v.string(), version: v.number() }), value);
  if (!header.success) {
    throw badInput(name, say`${name}: not a vramlab file (no "schema" and "version"); expected ${REPORT_SCHEMA}`);
  }
  const { schema, version } = header.output;
  if (schema !== REPORT_SCHEMA) {
    throw badInput(name, say`${name}: its schema is "${schema}", expected "${REPORT_SCHEMA}"`);
  }
  if (!Number.isInteger(version) || version < 1) {
    throw badInput(
      name,
      say`${name}: ${REPORT_SCHEMA} has no version ${version}; this program reads 1 to ${REPORT_VERSION}`,
    );
  }
  if (version > REPORT_VERSION) {
    throw badInput(
      name,
      say`${name}: ${REPORT_SCHEMA} version ${version} is newer than this program (reads up to ${REPORT_VERSION}); update vramlab`,
    );
  }
  return { version, report: header.output };
}

function upgrade(report: Record<string, unknown>, from: number, name: string): Record<string, unknown> {
  let current = report;
  for (let version = from; version < REPORT_VERSION; version++) {
    const step = UPGRADES[version];
    if (step === undefined) throw new Error(`${name}: no upgrade from ${REPORT_SCHEMA} version ${version}`);
    current = step(current);
  }
  return current;
}
