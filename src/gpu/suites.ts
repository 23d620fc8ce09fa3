/** The suites by name: one for each name that the program and the page offer. */
import { type AvailableSuite } from '../model/report/suites.js';
import { type Suite } from './suite.js';
import { alloc } from './alloc/alloc.js';
import { dispatch } from './dispatch/dispatch.js';
import { driver } from './driver/driver.js';
import { oom } from './oom/oom.js';
import { tiers } from './tiers/tiers.js';
import { train } from './train/train.js';
import { transfer } from './transfer/transfer.js';

export const suites: Readonly<Record<AvailableSuite, Suite>> = { tiers, transfer, dispatch, alloc, oom, driver, train };
