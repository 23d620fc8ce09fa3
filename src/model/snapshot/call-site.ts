/** Where in a person's own code a stack comes from: the innermost frame that is no library's. */
import { say } from '../../base/said.js';
import { type RecordedSnapshot } from './recorded-snapshot.js';

/** Files that nobody changes to save memory: packages, the interpreter, PyTorch's own C++ (which often has no file). */
const LIBRARY =
  /^$|site-packages|dist-packages|\/torch\/|^torch\/|\blib\/python|^<|\.(?:cpp|h|hpp|cu|cuh|cc|c|o|so)\b|^\?\?/;
/** C++ that every allocation goes through. */
const MACHINERY =
  /^torch::unwind|^torch::Captured|gather_with_cpp|CachingAllocator|^c10::|^at::(?:empty|detail::)|^std::|^_?_?libc/;
/** A step of the backward pass: it runs in a thread of its own, where no Python is on the stack. */
const BACKWARD = /^torch::autograd::generated::(\w+?)(?:_apply_functional|::apply)\(/;
const UNKNOWN = say`no call stack was recorded`;

/**
 * `train.py:41 step`; where all frames are a library's, the innermost one of Python, else the step of the backward pass
 * (`backward pass, BmmBackward0`), else the innermost frame of C++.
 */
export function callSite({ stacks, strings }: RecordedSnapshot, stack: number): string {
  if (stack < 0) return UNKNOWN;
  let innermost: string | undefined;
  let python: string | undefined;
  let backward: string | undefined;
  for (const number of stacks.framesOf(stack)) {
    const { name, file, line } = stacks.frame(number);
    const path = strings.text(file);
    const called = strings.text(name);
    const shown = showFrame(path.slice(path.lastIndexOf('/') + 1), line, called);
    if (!LIBRARY.test(path)) return shown;
    if (!MACHINERY.test(called)) innermost ??= shown;
    if (path.endsWith('.py')) python ??= shown;
    const step = backward === undefined ? BACKWARD.exec(called)?.[1] : undefined;
    if (step !== undefined) backward = `backward pass, ${step}`;
  }
  return python ?? backward ?? innermost ?? UNKNOWN;
}

const showFrame = (file: string, line: number, name: string): string =>
  file === '' ? name : `${file}:${line} ${name}`;

/** Frames that a person reads; the rest is how the interpreter started. */
const MOST_FRAMES = 16;

/** The stack in words, innermost frame first: `train.py:41 step`. */
export function callFrames({ stacks, strings }: RecordedSnapshot, stack: number): string[] {
  if (stack < 0) return [];
  return [...stacks.framesOf(stack).subarray(0, MOST_FRAMES)].map((number) => {
    const { name, file, line } = stacks.frame(number);
    return showFrame(strings.text(file), line, strings.text(name));
  });
}
