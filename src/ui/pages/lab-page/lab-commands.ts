/** The commands of the Lab. Keys that the memory view handles itself are notes of the view. */
import { msg } from '@lit/localize';
import { type CommandGroup } from '../../../app/commands.js';
import type { MemoryView } from '../../parts/memory-view/memory-view.js';

/** What the commands do. */
export interface LabActions {
  readonly memoryView: MemoryView | null;
  readonly canRunReal: boolean;
  readonly isRealRunning: boolean;
  showFlagship(): void;
  runReal(): void;
  cancelReal(): void;
  take(what: 'report'): Promise<void>;
}

export const labCommands = (page: LabActions): CommandGroup => ({
  commands: [
    {
      id: 'lab-flagship',
      title: () => msg('Show the 13B case', { desc: 'command' }),
      keys: [{ key: 'b' }],
      run: () => page.showFlagship(),
    },
    {
      id: 'lab-play',
      title: () => msg('Play or pause', { desc: 'command' }),
      keys: [{ key: ' ' }],
      isEnabled: () => page.memoryView !== null,
      run: () => page.memoryView?.togglePlaying(),
    },
    {
      id: 'lab-back',
      title: () => msg('One operation back', { desc: 'command' }),
      keys: [{ code: 'Comma', repeats: true }],
      isEnabled: () => page.memoryView !== null,
      run: () => page.memoryView?.step(-1),
    },
    {
      id: 'lab-on',
      title: () => msg('One operation on', { desc: 'command' }),
      keys: [{ code: 'Period', repeats: true }],
      isEnabled: () => page.memoryView !== null,
      run: () => page.memoryView?.step(1),
    },
    {
      id: 'lab-step-back',
      title: () => msg('One step back', { desc: 'command: a step of the program' }),
      keys: [{ code: 'Comma', shift: true, repeats: true }],
      isEnabled: () => page.memoryView !== null,
      run: () => page.memoryView?.stepMarker(-1),
    },
    {
      id: 'lab-step-on',
      title: () => msg('One step on', { desc: 'command: a step of the program' }),
      keys: [{ code: 'Period', shift: true, repeats: true }],
      isEnabled: () => page.memoryView !== null,
      run: () => page.memoryView?.stepMarker(1),
    },
    {
      id: 'lab-failure',
      title: () => msg('Go to the out of memory', { desc: 'command' }),
      keys: [{ key: 'o' }],
      isEnabled: () => page.memoryView !== null,
      run: () => page.memoryView?.goToFailure(),
    },
    {
      id: 'lab-run',
      title: () => msg('Run both on the GPU', { desc: 'command' }),
      keys: [{ key: 'r' }],
      isEnabled: () => page.canRunReal,
      run: () => page.runReal(),
    },
    {
      id: 'lab-cancel',
      title: () => msg('Cancel the run', { desc: 'command' }),
      keys: [{ key: 'c' }],
      isEnabled: () => page.isRealRunning,
      run: () => page.cancelReal(),
    },
    {
      id: 'lab-export',
      title: () => msg('Export the report of both sides', { desc: 'command' }),
      keys: [{ key: 'e' }],
      run: () => void page.take('report'),
    },
  ],
  notes: [
    {
      caps: ['←', '→', '↑', '↓', 'Home', 'End'],
      title: () => msg('Map: block to the left or right, segment above or below', { desc: 'keyboard help' }),
    },
    { caps: ['Enter', 'Esc'], title: () => msg('Map: keep the details of a block, let go', { desc: 'keyboard help' }) },
    { caps: ['H', 'P'], title: () => msg('Map: next hole by size, next pin', { desc: 'keyboard help' }) },
    {
      caps: ['W', 'S', 'A', 'D', 'F'],
      title: () => msg('Map and tracks: zoom in and out, pan, fit the selection', { desc: 'keyboard help' }),
    },
  ],
});
