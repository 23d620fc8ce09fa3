/** An architecture as JSON, as a link carries one that came from a file. */
import { badInput } from '../../../base/errors.js';
import { say } from '../../../base/said.js';
import { type Architecture, MOST_LAYERS, PLAIN } from './architecture.js';

const EXAMPLE: Architecture = {
  ...PLAIN,
  name: '',
  layers: 1,
  hidden: 1,
  heads: 1,
  kvHeads: 1,
  headSize: 1,
  feedForward: 1,
  vocabulary: 1,
  embeddingSize: 1,
};
const KINDS = ['decoder', 'encoder', 'encoder-decoder'];
const NORMS = ['layer', 'rms'];
/** Sizes that may be 0. */
const MAYBE_NONE = ['decoderLayers', 'positions', 'tokenTypes', 'relativeBuckets'];
const LAYERS = ['layers', 'decoderLayers'];
const LARGEST = 1e9;
const LONGEST_NAME = 200;

/** Writes it. */
export const storeArchitecture = (architecture: Architecture): string => JSON.stringify(architecture);

/** Reads it back. Throws `AppError` (`bad-input`), one line, for text that is none. */
export function storedArchitecture(text: string, what: string): Architecture {
  const refusal = (why: string) =>
    badInput(what, say`${what}: no architecture is stored here: ${why}; open the config.json again`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusal(say`it is no JSON`);
  }
  if (typeof value !== 'object' || value === null) throw refusal(say`it is no object`);
  const given: Readonly<Record<string, unknown>> = { ...value };
  const read: Record<string, unknown> = {};
  for (const [key, example] of Object.entries(EXAMPLE)) {
    const field = given[key];
    const isUsable =
      key === 'kind'
        ? KINDS.includes(String(field))
        : key === 'norm'
          ? NORMS.includes(String(field))
          : key === 'name'
            ? typeof field === 'string' && field.length <= LONGEST_NAME
            : typeof example === 'boolean'
              ? typeof field === 'boolean'
              : typeof field === 'number' &&
                Number.isInteger(field) &&
                field <= (LAYERS.includes(key) ? MOST_LAYERS : LARGEST) &&
                field >= (MAYBE_NONE.includes(key) ? 0 : 1);
    if (!isUsable) throw refusal(say`"${key}" is not usable`);
    read[key] = field;
  }
  // The loop has looked at every field.
  const architecture = read as unknown as Architecture;
  if (architecture.heads % architecture.kvHeads !== 0) throw refusal(say`"kvHeads" does not divide "heads"`);
  return architecture;
}
