import { msg, str } from '@lit/localize';
import { isMasked } from '../../../app/adapter-state.js';
import { formatBytes, formatDuration, formatNumber } from '../../../base/format.js';
import { type ClockFacts, type Environment } from '../../../model/report/schema.js';

export type Fact = readonly [name: string, value: string];

/** A pass has to last this many grid steps for its time to be known to 1 % (facts/measuring.md 2). */
const GRID_STEPS = 100;
const COARSE_GRID_NS = 10_000;

/** The lines of the adapter card. A fact the browser does not give has no line. */
export function adapterFacts({ adapter, clock, crossOriginIsolated }: Environment): readonly Fact[] {
  const limit = (name: string): Fact['1'] | undefined => {
    const value = adapter.limits[name];
    return value === undefined ? undefined : formatBytes(value);
  };
  const isolated = crossOriginIsolated
    ? msg(str`${formatDuration(clock.wallGridNs)}, isolated`, { desc: 'step of performance.now in an isolated page' })
    : msg(str`${formatDuration(clock.wallGridNs)}, not isolated`, { desc: 'step of performance.now' });
  const facts: readonly (readonly [string, string | undefined])[] = [
    [
      msg('Vendor, architecture', { desc: 'adapter fact' }),
      [adapter.vendor, adapter.architecture].filter((text) => text !== '').join(', ') || undefined,
    ],
    [msg('Clock', { desc: 'adapter fact' }), clockName(clock)],
    [msg('Clock grid', { desc: 'adapter fact: smallest step of the GPU clock' }), `${formatNumber(clock.gridNs)} ns`],
    [msg('Empty submit', { desc: 'adapter fact: time of an empty submit' }), formatDuration(clock.emptySubmitNs)],
    ['performance.now', isolated],
    [msg('Max buffer', { desc: 'adapter fact' }), limit('maxBufferSize')],
    [msg('Max binding', { desc: 'adapter fact' }), limit('maxStorageBufferBindingSize')],
    [msg('Workgroup memory', { desc: 'adapter fact' }), limit('maxComputeWorkgroupStorageSize')],
    [msg('Features', { desc: 'adapter fact' }), featureNames(adapter.features)],
    [
      msg('Fallback adapter', { desc: 'adapter fact' }),
      adapter.isFallbackAdapter ? msg('yes', { desc: 'the adapter is a fallback' }) : undefined,
    ],
  ];
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

function clockName(clock: ClockFacts): string {
  if (clock.suspect) return msg(str`${clock.kind}, suspect`, { desc: 'the GPU clock disagrees with the wall clock' });
  return clock.kind;
}

/** The two features that kernels come in variants for; the rest is in the report. */
function featureNames(features: readonly string[]): string | undefined {
  const shown = [
    ['subgroups', 'subgroups'],
    ['shader-f16', 'f16'],
  ] as const;
  return shown.flatMap(([feature, name]) => (features.includes(feature) ? [name] : [])).join(', ') || undefined;
}

/** The sentence under the facts: what figures from here can and cannot say. */
export function adapterHint({ adapter, clock }: Environment): string | undefined {
  if (adapter.class === 'software') {
    return msg(
      'Runs on the CPU. Right for tests and lessons; every figure carries this mark, and none says what a GPU does.',
      {
        desc: 'adapter card of a software adapter',
      },
    );
  }
  if (isMasked(adapter)) {
    return msg('The browser does not say what this adapter is. Figures can be compared within this browser only.', {
      desc: 'adapter card of a masked adapter',
    });
  }
  if (clock.gridNs < COARSE_GRID_NS) return undefined;
  return msg(
    str`On this grid a pass must last ${formatDuration(clock.gridNs * GRID_STEPS)} to be known to 1 %. Shorter ones are marked timer-limited.`,
    { desc: 'adapter card of a coarse clock' },
  );
}
