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
import { checkPytorchTrace } from './check-pytorch.js';
import { Tally } from './tally.js';

export interface GoldenVerdict {
  /** What the file is, in words. */
  readonly kind: string;
  readonly tally: Tally;
  /** The file itself says that it does not come from the real allocator: differences are shown, not counted. */
  readonly approximate: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** Whether parsed JSON is a golden file of a known kind. Never throws. */
export const isGolden = (value: unknown): boolean => kindOf(value) !== undefined;

/**
 * Checks one parsed file against the models. Throws `AppError` (`bad-input`) for a file of no known kind, or one of a
 * known kind that lacks something.
 */
export function checkGolden(value: unknown, source: string, newHash: NewHash): GoldenVerdict {
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
    case undefined:
      throw badInput(source, `${source}: no golden file of a known kind`);
  }
}

function kindOf(value: unknown): 'bfc' | 'config' | 'generated' | 'trace' | 'runs' | undefined {
  if (isRecordedRuns(value)) return 'runs';
  if (isBfcGolden(value)) return 'bfc';
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Fields;
  if (typeof fields['pytorch'] === 'string') return 'generator' in fields ? 'generated' : 'trace';
  return Array.isArray(fields['rows']) ? 'config' : undefined;
}

const isVariant = (value: unknown): boolean => String((value as Fields)['pytorch']).includes('variant');
