/** The commands of Diagnose. Keys that the memory view handles itself are notes of the view. */
import { msg } from '@lit/localize';
import { type CommandGroup } from '../../../app/commands.js';
import type { MemoryView } from '../../parts/memory-view/memory-view.js';

/** What the commands do. */
export interface DiagnoseActions {
  readonly memoryView: MemoryView | undefined;
  readonly hasFile: boolean;
  /** Entry of the failure that is judged; undefined without one. */
  readonly failure: number | undefined;
  choose(): void;
  paste(): void;
  goTo(event: number | undefined): void;
  save(): void;
}

export const diagnoseCommands = (page: DiagnoseActions): CommandGroup => ({
  commands: [
    {
      id: 'diagnose-open',
      keys: [{ key: 'o', modified: true }],
      title: () => msg('Open a file', { desc: 'command' }),
      run: () => page.choose(),
    },
    {
      id: 'diagnose-paste',
      title: () => msg('Paste a text', { desc: 'command' }),
      run: () => page.paste(),
    },
    {
      id: 'diagnose-failure',
      keys: [{ key: 'o' }],
      title: () => msg('Go to the failure', { desc: 'command' }),
      isEnabled: () => page.failure !== undefined,
      run: () => page.goTo(page.failure),
    },
    {
      id: 'diagnose-play',
      keys: [{ key: ' ' }],
      title: () => msg('Play or pause', { desc: 'command' }),
      isEnabled: () => page.memoryView !== undefined,
      run: () => page.memoryView?.togglePlaying(),
    },
    {
      id: 'diagnose-back',
      keys: [{ key: ',', repeats: true }],
      title: () => msg('One event back', { desc: 'command' }),
      isEnabled: () => page.memoryView !== undefined,
      run: () => page.memoryView?.step(-1),
    },
    {
      id: 'diagnose-forward',
      keys: [{ key: '.', repeats: true }],
      title: () => msg('One event forward', { desc: 'command' }),
      isEnabled: () => page.memoryView !== undefined,
      run: () => page.memoryView?.step(1),
    },
    {
      id: 'diagnose-export',
      keys: [{ key: 'e' }],
      title: () => msg('Save the diagnosis as HTML', { desc: 'command' }),
      isEnabled: () => page.hasFile,
      run: () => page.save(),
    },
  ],
});
