/** The allocator settings that a snapshot names, as far as the model knows them. */
import { TAG } from './pickle/object-table.js';
import { type PickleDocument, type Value } from './pickle/pickle-document.js';
import { ROLE } from './pickle/roles.js';
import { type RecordedSettings } from './recorded-snapshot.js';

/** Names of the settings variable: of all versions with CUDA, of ROCm, and of newer ones for every device. */
const VARIABLES = [
  ['PYTORCH_CUDA_ALLOC_CONF', ROLE.cudaVariable],
  ['PYTORCH_HIP_ALLOC_CONF', ROLE.hipVariable],
  ['PYTORCH_ALLOC_CONF', ROLE.anyVariable],
] as const;

/** Settings of the dictionary `allocator_settings`; what is not of its kind counts as not given. */
export function readSettings(document: PickleDocument, settings: Value): RecordedSettings {
  const numberOf = (role: number): number | undefined => {
    const found = document.entry(settings, role);
    return found === undefined || found.tag === TAG.true || found.tag === TAG.false
      ? undefined
      : document.number(found);
  };
  const variables: { variable: string; text: string }[] = [];
  for (const [variable, role] of VARIABLES) {
    const found = document.entry(settings, role);
    const text = found === undefined ? undefined : document.text(found);
    if (text !== undefined) variables.push({ variable, text });
  }
  const divisions = document.entry(settings, ROLE.roundupDivisions);
  return {
    variables,
    maxSplitSize: numberOf(ROLE.maxSplitSize),
    garbageCollectionThreshold: numberOf(ROLE.garbageCollectionThreshold),
    expandable: document.entry(settings, ROLE.expandableSegments)?.tag === TAG.true,
    divisions: divisions === undefined || !document.isDictionary(divisions) ? [] : divisionsOf(document, divisions),
  };
}

/** Sizes in MiB, which are texts, and numbers of divisions in turn. */
function divisionsOf(document: PickleDocument, table: Value): number[] {
  const divisions: number[] = [];
  document.forEachEntry(table, (size, count) => {
    divisions.push(Number(size), document.number(count) ?? NaN);
  });
  return divisions;
}
