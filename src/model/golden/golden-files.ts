/**
 * Every kind of golden file, told apart by what is in it, never by its name. `vramlab golden` and the tests check
 * through here.
 */
import { badInput } from '../../base/errors.js';
import { isBfcGolden } from './bfc-file.js';
import { type NewHash } from './bfc-model.js';
import { checkBfcGolden } from './check-bfc.js';
import { checkCase13bOperations, checkRecordedRuns, isRecordedRuns } from './check-case13b.js';
import { checkConfigValidation } from './check-config.js';
import { checkPytorchGenerated } from './check-generated.js';
import { checkGoldenPickle } from './check-pickle.js';
import { checkPytorchTrace } from './check-pytorch.js';
import { checkVizTexts, isVizTexts } from './check-viz-text.js';
import { type FindTrace } from './recorded-end.js';
import { Tally } from './tally.js';

export interface GoldenVerdict {
  /** What the file is, in words. */
  readonly kind: string;
  readonly tally: Tally;
  /** The file itself says that it does not come from the real allocator: differences are shown, not counted. */
  readonly approximate: boolean;
  /** Parts of the file that could not be checked, each with the reason. */
  readonly notes?: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Whether parsed JSON is a golden file of a known kind. Never throws. */
export const isGolden = (value: unknown): boolean => kindOf(value) !== undefined;

/**
 * Checks one parsed file against the models. `findTrace` gives the traces that texts were made from. Throws `AppError` (`bad-input`) for a file of no known kind, or one of a
 * known kind that lacks something.
 */
export function checkGolden(
  value: unknown,
  source: string,
  newHash: NewHash,
  findTrace: FindTrace = () => undefined,
): GoldenVerdict {
  const kind = kindOf(value);
  const tally = new Tally();
  switch (kind) {
    case 'bfc':
      return { kind: "BFC's allocator", tally: checkBfcGolden(value, source, newHash), approximate: false };
    case 'config':
      checkConfigValidation(value, source, tally);
      return { kind: 'settings strings', tally, approximate: false };
    case 'generated':
      checkPytorchGenerated(value, source, newHash, tally);
      return { kind: "PyTorch's allocator, generated trace", tally, approximate: isVariant(value) };
    case 'trace':
      checkPytorchTrace(value, source, tally);
      checkCase13bOperations(value, source, newHash, tally);
      return { kind: "PyTorch's allocator", tally, approximate: isVariant(value) };
    case 'runs':
      checkRecordedRuns(value, source, newHash, tally);
      return { kind: 'recorded runs of the flagship case', tally, approximate: false };
    case 'texts': {
      const notes = checkVizTexts(value, source, findTrace, tally);
      return { kind: 'texts of _memory_viz.py', tally, approximate: false, notes };
    }
    case undefined:
      throw badInput(source, `${source}: no golden file of a known kind`);
  }
}

/**
 * Checks a golden snapshot pickle that was made from the trace `name`; undefined where that trace is not to be found.
 * Throws `AppError` (`bad-input`) for a damaged one.
 */
export function checkPickle(
  bytes: Uint8Array,
  source: string,
  name: string,
  findTrace: FindTrace,
): GoldenVerdict | undefined {
  if (findTrace(name) === undefined) return undefined;
  const tally = new Tally();
  checkGoldenPickle(bytes, source, name, findTrace, tally);
  return { kind: 'snapshot pickle', tally, approximate: false };
}

function kindOf(value: unknown): 'bfc' | 'config' | 'generated' | 'trace' | 'runs' | 'texts' | undefined {
  if (isRecordedRuns(value)) return 'runs';
  if (isBfcGolden(value)) return 'bfc';
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Fields;
  if (typeof fields['pytorch'] === 'string') return 'generator' in fields ? 'generated' : 'trace';
  if (Array.isArray(fields['rows'])) return 'config';
  return isVizTexts(value) ? 'texts' : undefined;
}

const isVariant = (value: unknown): boolean => String((value as Fields)['pytorch']).includes('variant');
