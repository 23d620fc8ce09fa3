/** What the test runner tells of its browser: a command of vite.config.ts. */
import { commands } from 'vitest/browser';

declare module 'vitest/browser' {
  interface BrowserCommands {
    gpuProcessBytes(): Promise<number>;
  }
}

/** Resident bytes of the GPU process of the tests' own browser; 0 where the system does not tell. */
export const gpuProcessBytes = (): Promise<number> => commands.gpuProcessBytes();
