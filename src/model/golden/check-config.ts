/**
 * Settings strings against what two versions of PyTorch make of them: the exact text and type of each error, and for
 * 2.14 the settings in effect. Each version read all rows in one process, so what a row does not reset carries over.
 */
import { AppError } from '../../base/errors.js';
import { Settings } from '../allocator/caching/settings.js';
import { SettingsError } from '../allocator/caching/settings-values.js';
import { readConfigValidation } from './pytorch-file.js';
import { type Tally } from './tally.js';

/** Checks one parsed file. Throws `AppError` (`bad-input`) for one that is no such file. */
export function checkConfigValidation(value: unknown, source: string, tally: Tally): void {
  const { rows } = readConfigValidation(value, source);
  const old = new Settings('2.6');
  const recent = new Settings('2.14');
  for (const { config, v2_6_0: wantOld, v2_14_1: wantRecent } of rows) {
    const at = (what: string) => (): string => `${JSON.stringify(config)}, ${what}`;
    const gotOld = outcomeOf(() => {
      old.read(config);
    });
    tally.equal(at('2.6'), gotOld, { type: wantOld.type, result: wantOld.result });
    const gotRecent = outcomeOf(() => {
      recent.read(config, 'skip');
    });
    tally.equal(at('2.14'), gotRecent, { type: wantRecent.type, result: wantRecent.result });
    for (const [key, field] of Object.entries(wantRecent.state ?? {})) {
      tally.equal(at(`2.14, ${key}`), stateOf(recent)[key], field);
    }
  }
}

function outcomeOf(read: () => void): { readonly type: string; readonly result: string } {
  try {
    read();
    return { type: '', result: 'ok' };
  } catch (error) {
    if (error instanceof SettingsError) return { type: error.type, result: error.message };
    if (error instanceof AppError) return { type: 'unknown', result: error.message };
    throw error;
  }
}

/** Under the names of the golden file. Sizes in bytes. */
function stateOf(settings: Settings): Readonly<Record<string, unknown>> {
  return {
    max_split_size: settings.reportedMaxSplitSize,
    large_segment_size: settings.largeSegmentSize,
    max_non_split: settings.maxNonSplitRounding,
    gc: settings.garbageCollectionThreshold,
    exp: settings.expandableSegments ? 1 : 0,
    rp2: [...settings.roundupDivisions],
  };
}
