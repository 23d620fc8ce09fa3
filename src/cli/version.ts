/** Which vramlab this is: the version from package.json, the commit from the build. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';

/** The folder `dist`, seen from the built program `dist/cli/vramlab.js`. */
export const distFolder = (): string => dirname(dirname(fileURLToPath(import.meta.url)));

const buildSchema = v.object({ version: v.string(), commit: v.optional(v.string()) });
export type BuildFacts = v.InferOutput<typeof buildSchema>;

/** What `scripts/build.mjs` wrote; `0.0.0` when the program runs without having been built (tests). */
export function buildFacts(): BuildFacts {
  const file = join(distFolder(), 'build.json');
  return existsSync(file) ? v.parse(buildSchema, JSON.parse(readFileSync(file, 'utf8'))) : { version: '0.0.0' };
}
