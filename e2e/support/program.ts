/** Runs the built program as a person would, and watches the processes that it starts. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { test as base } from 'playwright/test';

const PROGRAM = resolve('dist/cli/vramlab.js');

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly pid: number;
  readonly finished: Promise<Finished>;
  /** Settles once stderr holds the text; rejects when the program ends without it. */
  until(text: string): Promise<void>;
  /** Settles with the first match of an expression in stdout. */
  untilStdout(expression: RegExp): Promise<string>;
  kill(signal: NodeJS.Signals): void;
}

/** A folder of its own for each test: where the program is run, and what it takes for the system's temporary folder. */
export interface Workplace {
  readonly folder: string;
  readonly temporary: string;
  /** Where the program keeps its journal. */
  readonly state: string;
  start(...args: readonly string[]): Running;
  /** As `npm run vramlab --` does it, in the repository: the process is npm's. */
  startUnderNpm(...args: readonly string[]): Running;
  run(...args: readonly string[]): Promise<Finished>;
}

export const test = base.extend<{ workplace: Workplace }>({
  workplace: async ({ browserName }, use) => {
    const folder = mkdtempSync(join(tmpdir(), `vramlab-e2e-${browserName}-`));
    const temporary = mkdtempSync(join(tmpdir(), `vramlab-e2e-${browserName}-tmp-`));
    const state = mkdtempSync(join(tmpdir(), `vramlab-e2e-${browserName}-state-`));
    const started: ChildProcess[] = [];
    const launch = (program: string, args: readonly string[], cwd: string): Running => {
      const child = spawn(program, args, {
        cwd,
        env: { ...process.env, TMPDIR: temporary, VRAMLAB_STATE: state },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      started.push(child);
      return watch(child);
    };
    const start = (...args: readonly string[]): Running => launch(process.execPath, [PROGRAM, ...args], folder);
    const startUnderNpm = (...args: readonly string[]): Running =>
      launch('npm', ['run', '--silent', 'vramlab', '--', ...args], process.cwd());
    await use({ folder, temporary, state, start, startUnderNpm, run: (...args) => start(...args).finished });
    for (const child of started) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
    rmSync(state, { recursive: true, force: true });
    rmSync(temporary, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  },
});

function watch(child: ChildProcess): Running {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const finished = new Promise<Finished>((settle) => {
    child.once('close', (code, signal) => settle({ code, signal, stdout, stderr }));
  });
  return {
    pid: child.pid ?? 0,
    finished,
    kill: (signal) => void child.kill(signal),
    until: async (text) => {
      await waitFor(child, () => (stderr.includes(text) ? text : undefined));
    },
    untilStdout: (expression) => waitFor(child, () => expression.exec(stdout)?.[0]),
  };
}

/** Looks again whenever the program says something; rejects when it ends. */
function waitFor(child: ChildProcess, look: () => string | undefined): Promise<string> {
  return new Promise((settle, reject) => {
    const check = () => {
      const found = look();
      if (found !== undefined) settle(found);
    };
    child.stdout?.on('data', check);
    child.stderr?.on('data', check);
    child.once('close', () => {
      reject(new Error('the program ended without saying what was waited for'));
    });
    check();
  });
}

export interface Process {
  readonly pid: number;
  readonly command: string;
}

/** All that a process has started, its children's children included (Linux). */
export function descendants(pid: number): readonly Process[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? processOf(Number(name)) : []));
  const found = new Map<number, Process>();
  const parents = new Set([pid]);
  for (let grew = true; grew;) {
    grew = false;
    for (const { pid: child, parent, command } of all) {
      if (!parents.has(parent) || parents.has(child)) continue;
      parents.add(child);
      found.set(child, { pid: child, command });
      grew = true;
    }
  }
  return [...found.values()];
}

/** Of these processes, the ones that still run (a zombie does not). */
export const stillRunning = (processes: readonly Process[]): readonly Process[] =>
  processes.filter(({ pid, command }) => processOf(pid).some((now) => now.command === command && now.state !== 'Z'));

function processOf(pid: number): readonly (Process & { readonly parent: number; readonly state: string })[] {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const [state = '', parent = ''] = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? '').split(' ');
    return [{ pid, command, parent: Number(parent), state }];
  } catch {
    // It ended while we looked.
    return [];
  }
}
