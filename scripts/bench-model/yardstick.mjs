// @ts-check
/** Compiles bench/yardstick.cc, where a C++ compiler is. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** @returns {string | undefined} the program, undefined without a compiler */
export function compileYardstick() {
  const program = `${root}dist/bench/yardstick`;
  mkdirSync(`${root}dist/bench`, { recursive: true });
  for (const compiler of ['c++', 'g++', 'clang++']) {
    const { status } = spawnSync(compiler, ['-O2', '-std=c++17', `${root}bench/yardstick.cc`, '-o', program]);
    if (status === 0) return program;
  }
  return undefined;
}
