/** A lesson of one step, for tests to break one rule at a time. */
export const smallCourse = {
  schema: 'vramlab-lessons',
  version: 1,
  lessons: [
    {
      id: 'own',
      title: { en: 'A lesson of my own', zh: '我的课' },
      minutes: 2,
      goal: 'One segment for a small tensor.',
      steps: [
        {
          id: 'own/first',
          kind: 'replay',
          view: 'map',
          question: 'How much does one tensor of 3 MiB reserve?',
          setup: 'PyTorch, 64 MiB.',
          choices: [
            { id: 'A', text: '3 MiB', right: false, misconception: 'Thinks every request goes to the driver.' },
            { id: 'B', text: '20 MiB', right: true },
            { id: 'C', text: '4 MiB', right: false, misconception: 'Rounds to 2 MiB.' },
          ],
          runs: [{ id: 'a', allocator: 'caching', budget: '64MiB', ops: ['a x 3MiB T'] }],
          expect: { reserved: { run: 'a', metric: 'reserved', at: 'end', unit: 'bytes', value: 20971520 } },
          reveal: '{reserved} are reserved.',
          takeaway: 'A small request gets a piece of 20 MiB.',
        },
      ],
    },
  ],
} as const;

/** A copy with the value at a path changed; `undefined` takes it away. */
export function changed(path: string, value: unknown): unknown {
  const copy: unknown = structuredClone(smallCourse);
  const keys = path.split('.');
  let at = copy as Record<string, unknown>;
  for (const key of keys.slice(0, -1)) at = at[key] as Record<string, unknown>;
  const last = keys.at(-1) ?? '';
  if (value === undefined) Reflect.deleteProperty(at, last);
  else at[last] = value;
  return copy;
}
