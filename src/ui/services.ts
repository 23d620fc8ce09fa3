/** What pages are given instead of globals. */
import { createContext } from '@lit/context';
import { type AppStore } from '../app/app-state.js';
import { type CommandRegistry } from '../app/commands.js';
import { type Engine } from '../app/engine-port.js';
import { type GpuTurns } from '../app/gpu-turns.js';
import { type RunKeeper } from '../app/kept-runs.js';
import { type Router } from '../app/router.js';

export interface Services {
  readonly store: AppStore;
  readonly router: Router;
  readonly commands: CommandRegistry;
  readonly engine: Engine;
  /** One job at a time on it. */
  readonly gpu: GpuTurns;
  readonly keeper: RunKeeper;
}

export const servicesContext = createContext<Services>(Symbol('services'));
