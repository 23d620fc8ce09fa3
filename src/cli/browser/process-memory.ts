/**
 * The browser's processes as Linux shows them: ours alone, found from the process that we started by following parents.
 */
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

export interface BrowserProcesses {
  /** Resident bytes of the GPU process, and of all processes of the browser. */
  readonly gpuBytes: number;
  readonly totalBytes: number;
  readonly gpuPid: number | undefined;
}

interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  readonly residentBytes: number;
}

/** Looks at the process `root` and everything below it. Undefined where the system has no /proc. */
export function browserProcesses(root: number): BrowserProcesses | undefined {
  if (process.platform !== 'linux') return undefined;
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (factsOf(Number(name)) ?? []) : []));
  const ours = descendants(all, root);
  const gpu = ours.find(({ pid }) => commandOf(pid).includes('--type=gpu-process'));
  return {
    gpuBytes: gpu?.residentBytes ?? 0,
    totalBytes: ours.reduce((sum, { residentBytes }) => sum + residentBytes, 0),
    gpuPid: gpu?.pid,
  };
}

/** The processes of `all` that descend from `root`, itself included. */
export function descendants<P extends Pick<ProcessFacts, 'pid' | 'parent'>>(all: readonly P[], root: number): P[] {
  const ours = new Set([root]);
  let before = 0;
  while (ours.size > before) {
    before = ours.size;
    for (const { pid, parent } of all) if (ours.has(parent)) ours.add(pid);
  }
  return all.filter(({ pid }) => ours.has(pid));
}

/** Undefined for a process that has ended meanwhile. */
function factsOf(pid: number): ProcessFacts | undefined {
  const status = readProc(pid, 'status');
  const number = (key: string): number => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  return status === '' ? undefined : { pid, parent: number('PPid'), residentBytes: number('VmRSS') * 1024 };
}

const commandOf = (pid: number): string => readProc(pid, 'cmdline').replaceAll('\0', ' ');

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    // The process is gone, or belongs to somebody else: none of ours.
    if (error instanceof Error && 'code' in error) return '';
    throw error;
  }
}
