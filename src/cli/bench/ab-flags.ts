/** The two values of `--ab`: sets of browser flags. They begin with dashes, which a command line takes for options. */
import * as v from 'valibot';
import { badInput } from '../../base/errors.js';

const OPTION = '--ab';

/** Flags that the launcher itself sets: another value would cut it off from its browser, or make another environment. */
const RESERVED = ['user-data-dir', 'remote-debugging-pipe', 'remote-debugging-port', 'headless'];

/**
 * The arguments with what follows `--ab` joined into one value, so that flags are not taken for options of ours.
 * Throws `AppError` (`bad-input`) unless two values follow.
 */
export function joinAbValues(args: readonly string[]): readonly string[] {
  const at = args.indexOf(OPTION);
  if (at === -1) return args;
  const [a, b] = args.slice(at + 1, at + 3);
  if (a === undefined || b === undefined) {
    throw badInput(OPTION, `${OPTION}: two sets of browser flags are needed, each as one argument ("" for none)`);
  }
  return [...args.slice(0, at), `${OPTION}=${JSON.stringify([a, b])}`, ...args.slice(at + 3)];
}

/** The two sets from the joined value. Throws `AppError` (`bad-input`). */
export function parseAbValues(text: string): readonly [readonly string[], readonly string[]] {
  const sets = readPair(text);
  if (sets === undefined) {
    throw badInput(OPTION, `${OPTION}: write ${OPTION} "FLAGS_A" "FLAGS_B", without an equals sign`);
  }
  return [parseFlags(sets[0]), parseFlags(sets[1])];
}

const pairSchema = v.tuple([v.string(), v.string()]);

function readPair(text: string): readonly [string, string] | undefined {
  try {
    const result = v.safeParse(pairSchema, JSON.parse(text));
    return result.success ? result.output : undefined;
  } catch {
    return undefined;
  }
}

/** Flags separated by spaces. */
function parseFlags(text: string): readonly string[] {
  const flags = text.split(/\s+/).filter((flag) => flag !== '');
  for (const flag of flags) {
    const name = /^--([a-z0-9][a-z0-9-]*)(=.*)?$/.exec(flag)?.[1];
    if (name === undefined) {
      throw badInput(OPTION, `${OPTION}: "${flag}" is no browser flag; flags look like --name or --name=value`);
    }
    if (RESERVED.includes(name)) throw badInput(OPTION, `${OPTION}: --${name} is set by vramlab itself; leave it out`);
  }
  return flags;
}
