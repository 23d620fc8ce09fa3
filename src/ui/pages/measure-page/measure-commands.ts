import { msg } from '@lit/localize';
import { type CommandGroup } from '../../../app/commands.js';

/** What the commands call. */
interface Actions {
  run(): void;
  cancel(): void;
  exportReport(): void;
  showRuns(): Promise<void>;
}

/** What decides which commands hold at the moment. */
interface Conditions {
  readonly canRun: () => boolean;
  readonly isRunning: () => boolean;
  readonly hasRun: () => boolean;
}

/** The commands of the Measure page and the keys that are no commands. */
export function measureCommands(page: Actions, { canRun, isRunning, hasRun }: Conditions): CommandGroup {
  return {
    commands: [
      {
        id: 'run',
        title: () => msg('Run', { desc: 'command' }),
        keys: [{ key: 'r' }],
        isEnabled: canRun,
        run: () => page.run(),
      },
      {
        id: 'cancel',
        title: () => msg('Cancel the run', { desc: 'command' }),
        keys: [{ key: 'c' }],
        isEnabled: isRunning,
        run: () => page.cancel(),
      },
      {
        id: 'export',
        title: () => msg('Export the report', { desc: 'command' }),
        keys: [{ key: 'e' }],
        isEnabled: hasRun,
        run: () => page.exportReport(),
      },
      {
        id: 'runs',
        title: () => msg('Kept runs', { desc: 'command' }),
        keys: [{ key: 'h' }],
        run: () => void page.showRuns(),
      },
    ],
    notes: [
      {
        caps: ['←', '→', '↑', '↓', 'Home', 'End'],
        title: () => msg('Chart: point to the left or right, other line, first, last', { desc: 'keyboard help' }),
      },
    ],
  };
}
