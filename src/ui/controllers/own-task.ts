/**
 * Lets a heavy part render for the first time in a task of its own: a page full of parts would otherwise hold the thread
 * for all of them in one, and a press of a key would wait as long.
 *
 *     protected override async scheduleUpdate(): Promise<void> {
 *       if (!this.hasUpdated) await nextTask();
 *       await super.scheduleUpdate();
 *     }
 */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
