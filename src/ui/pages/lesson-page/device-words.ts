/** What the GPU gave for a step, in words. */
import { msg, str } from '@lit/localize';
import { modelWords } from '../../../app/model-words.js';
import { type CarriedRun, type DeviceState, modelOnly } from '../../../app/lesson/device-run.js';
import { flagWords } from '../../../app/words.js';
import { adapterName } from '../../../app/adapter-state.js';
import { assertNever } from '../../../base/errors.js';
import { formatBytes, formatNumber, formatSignificant } from '../../../base/format.js';
import { type Language } from '../../../model/lesson/local-text.js';
import { type CheckOutcome } from '../../../model/lesson/measure-check.js';
import { type Step } from '../../../model/lesson/schema.js';
import { type Environment, type Row } from '../../../model/report/schema.js';
import { runLabel } from './words.js';

/** One line of the result, and whether it is as it should be. */
export interface DeviceLine {
  readonly look: 'ok' | 'bad' | 'plain';
  readonly text: string;
}

/** The lines of what a step gave on the GPU; none while it has not been asked. */
export function deviceLines(step: Step, device: DeviceState, language: Language): readonly DeviceLine[] {
  switch (device.kind) {
    case 'idle':
    case 'running':
      return [];
    case 'cancelled':
      return [{ look: 'plain', text: msg('Cancelled.', { desc: 'lesson: the run on the GPU' }) }];
    case 'failed':
      return [{ look: 'bad', text: modelWords(device.message) }];
    case 'carried':
      return [
        ...device.runs.map((run) => carriedLine(labelOf(step, run.run, language), run)),
        ...modelOnlyLines(step, language),
      ];
    case 'measured':
      return [...device.rows.map(rowLine), checkLine(step.measure?.check ?? '', device.check)];
    default:
      return assertNever(device);
  }
}

const labelOf = (step: Step, id: string, language: Language): string => {
  const run = step.runs.find((each) => each.id === id);
  return run === undefined ? id : runLabel(run, language);
};

function carriedLine(label: string, run: CarriedRun): DeviceLine {
  if (run.kind === 'refused') return { look: 'bad', text: `${label}: ${modelWords(run.reason)}` };
  const segments = formatNumber(run.segmentsCreated);
  const held = formatBytes(run.peakHeldBytes);
  const ended =
    run.outcome === 'completed'
      ? msg(str`${label}: completes on real buffers. Buffers made: ${segments}, at once at most ${held}.`, {
          desc: 'lesson: outcome on the GPU',
        })
      : msg(str`${label}: out of memory on real buffers. Buffers made: ${segments}, at once at most ${held}.`, {
          desc: 'lesson: outcome on the GPU',
        });
  const judged =
    run.met && run.corruptWords === 0
      ? msg('As the model said, every word right.', { desc: 'lesson: GPU against model' })
      : differs(run);
  const text = [ended, judged, scaleWords(run.scale)].filter((part) => part !== '').join(' ');
  return { look: run.met && run.corruptWords === 0 ? 'ok' : 'bad', text };
}

const scaleWords = (scale: number): string =>
  scale === 1
    ? ''
    : msg(str`All sizes divided by ${scale}, the allocator's own too.`, {
        desc: 'lesson: a program that was scaled down for the device',
      });

function differs({ segmentsPredicted, corruptWords }: Extract<CarriedRun, { readonly kind: 'carried' }>): string {
  const segments = formatNumber(segmentsPredicted);
  const wrong = formatNumber(corruptWords);
  return msg(str`The model said ${segments} buffers; ${wrong} words are wrong.`, { desc: 'lesson: GPU against model' });
}

/** The runs that stay on the model, and why. */
export function modelOnlyLines(step: Step, language: Language): readonly DeviceLine[] {
  return step.runs.flatMap((run): readonly DeviceLine[] => {
    const why = modelOnly(run);
    if (why === undefined) return [];
    const label = runLabel(run, language);
    const text =
      why === 'too-large'
        ? msg(str`${label}: model only, its budget is over 1 GiB.`, {
            desc: 'lesson: a run that does not go on the GPU',
          })
        : msg(str`${label}: model only.`, { desc: 'lesson: a run that does not go on the GPU' });
    return [{ look: 'plain', text }];
  });
}

function rowLine(row: Row): DeviceLine {
  if (row.status !== 'measured') return { look: 'plain', text: `${row.id}: ${modelWords(row.reason)}` };
  const { id, value, unit, flags } = row;
  const marks = flags.length === 0 ? '' : `, ${flags.map(flagWords).join(', ')}`;
  return { look: 'plain', text: `${id}: ${formatSignificant(value)} ${unit}${marks}` };
}

function checkLine(condition: string, check: CheckOutcome): DeviceLine {
  switch (check.kind) {
    case 'holds':
      return {
        look: 'ok',
        text: msg(str`It holds here: ${condition}`, { desc: 'lesson: condition of a measured step' }),
      };
    case 'fails':
      return {
        look: 'bad',
        text: msg(str`It does not hold here: ${condition}. Look at the chart for the reason.`, {
          desc: 'lesson: condition of a measured step',
        }),
      };
    case 'unresolved':
      return {
        look: 'plain',
        text: msg(
          'The tiers are not resolved on this machine: the two figures do not differ as they would between tiers.',
          {
            desc: 'lesson: condition of a measured step',
          },
        ),
      };
    case 'missing': {
      const rows = check.rows.join(', ');
      return {
        look: 'bad',
        text: msg(str`Not checked: this machine gave no figure for ${rows}.`, {
          desc: 'lesson: condition of a measured step',
        }),
      };
    }
    case 'sentence':
      return {
        look: 'plain',
        text: msg(str`To look for: ${condition}`, { desc: 'lesson: what to see in the figures' }),
      };
  }
}

/** `llvmpipe, software`: which machine it was. */
export function machineWords({ adapter }: Environment): string {
  const name =
    adapterName(adapter) ?? msg('an adapter without a name', { desc: 'lesson: which machine carried a step out' });
  return adapter.class === 'software'
    ? msg(str`${name}, a software adapter: no GPU`, { desc: 'lesson: which machine carried a step out' })
    : name;
}
