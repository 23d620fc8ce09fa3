/**
 * The suites by name: one for each name that the program and the page offer. Each is code of its own, fetched when it is
 * first run, so that a page starts with none of them.
 */
import { type AvailableSuite } from '../model/report/suites.js';
import { type Suite } from './suite.js';

export const suites: Readonly<Record<AvailableSuite, () => Promise<Suite>>> = {
  tiers: async () => (await import('./tiers/tiers.js')).tiers,
  transfer: async () => (await import('./transfer/transfer.js')).transfer,
  dispatch: async () => (await import('./dispatch/dispatch.js')).dispatch,
  alloc: async () => (await import('./alloc/alloc.js')).alloc,
  oom: async () => (await import('./oom/oom.js')).oom,
  driver: async () => (await import('./driver/driver.js')).driver,
  train: async () => (await import('./train/train.js')).train,
};
