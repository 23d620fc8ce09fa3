/** How large a plan may be to be replayed. */
import { GiB } from '../../base/units.js';
import { type Plan } from './plan.js';

/** As much as the caching model can address. */
export const ROOM = GiB(900);

/** Whether the step is known, but a device would need more than any replay has room for. */
export const isTooLarge = (plan: Plan): boolean => plan.shape !== undefined && plan.total > ROOM;
