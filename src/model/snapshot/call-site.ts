/** Where in a person's own code a stack comes from: the innermost frame that is no library's. */
import { type RecordedSnapshot } from './recorded-snapshot.js';

/** Files that nobody changes to save memory: packages, the interpreter, PyTorch's own C++. */
const LIBRARY = /site-packages|dist-packages|\/torch\/|^torch\/|\blib\/python|^<|\.(?:cpp|h|cu|cuh|c|so)\b|^\?\?/;
/** C++ names that say nothing of the program. */
const UNKNOWN = 'no call stack was recorded';

/** `train.py:41 step`; the innermost frame where all are a library's. */
export function callSite({ stacks, strings }: RecordedSnapshot, stack: number): string {
  if (stack < 0) return UNKNOWN;
  let innermost: string | undefined;
  for (const number of stacks.framesOf(stack)) {
    const { name, file, line } = stacks.frame(number);
    const path = strings.text(file);
    const shown = `${path.slice(path.lastIndexOf('/') + 1)}:${line} ${strings.text(name)}`;
    if (!LIBRARY.test(path)) return shown;
    innermost ??= shown;
  }
  return innermost ?? UNKNOWN;
}
