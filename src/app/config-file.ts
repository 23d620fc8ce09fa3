/** A `config.json` that a person opens on the Plan page, gzip or not, as the text that a link carries. */
import { badInput } from '../base/errors.js';
import { formatBytes } from '../base/format.js';
import { say } from '../base/said.js';
import { MiB } from '../base/units.js';
import { readSource } from '../engine/read-source.js';
import { readConfig } from '../model/plan/architecture/hugging-face.js';
import { storeArchitecture } from '../model/plan/architecture/stored.js';

/** Configurations have a few kB; what is larger is weights or a trace. */
const LARGEST = MiB(16);

/** Throws `AppError` (`bad-input`), one line: a file that cannot be read or unpacked, or is no configuration known here. */
export async function readConfigFile(file: File): Promise<string> {
  const { name, size } = file;
  if (size > LARGEST) {
    throw badInput(name, say`${name}: ${formatBytes(size)} is too large; give a transformers config.json`);
  }
  const bytes = await readSource(file, name, () => undefined);
  return storeArchitecture(readConfig(new TextDecoder().decode(bytes), name));
}
