/** The answer in words, each number beside the numbers it comes from. */
import { msg, str } from '@lit/localize';
import { type ModelField, type ModelProblem } from '../../../app/model-settings.js';
import { assertNever } from '../../../base/errors.js';
import { formatBytes, formatDuration, formatNumber, formatSignificant } from '../../../base/format.js';
import { type GlobalFigure } from '../../../model/report/charts/global-figures.js';
import { type ModelSize, type StreamPart, streamTime } from '../../../model/report/training-stream.js';

interface Line {
  readonly kind: 'answer' | 'sum' | 'problem';
  readonly text: string;
}

/** The time to move the state once, its arithmetic, whether it fits, and what limits the figure. */
export function trainingWords(
  model: ModelSize,
  capacityBytes: number | undefined,
  { row, isMemoryBound }: GlobalFigure,
): readonly Line[] {
  const { bytes, timeNs, terms, device } = streamTime(model, row.value, capacityBytes);
  const [size, time, rate] = [formatBytes(bytes), formatDuration(timeNs), formatSignificant(row.value)];
  const lines: Line[] = [
    {
      kind: 'answer',
      text: msg(str`Moving weights, gradients and optimiser state once takes at least ${time}.`, { desc: 'training' }),
    },
  ];
  if (device !== undefined && capacityBytes !== undefined) {
    lines.push({ kind: 'answer', text: fitWords(size, formatBytes(capacityBytes), device.share) });
  }
  lines.push(
    {
      kind: 'sum',
      text: msg(
        str`${formatSignificant(model.parameters)} parameters \u00d7 (${bytesWords(model.weights)} + ${bytesWords(model.gradients)} + ${bytesWords(model.optimiser)}) B = ${formatNumber(bytes)} B = ${size}; ${size} / ${rate} GB/s = ${time}`,
        { desc: 'training: the arithmetic' },
      ),
    },
    {
      kind: 'sum',
      text: terms
        .map((term) => `${partWords(term.part)} ${formatBytes(term.bytes)}, ${formatDuration(term.timeNs)}`)
        .join('; '),
    },
  );
  if (device !== undefined && capacityBytes !== undefined) {
    const all = formatDuration(device.timeNs);
    lines.push({
      kind: 'sum',
      text: msg(
        str`Reading all ${formatBytes(capacityBytes)} once takes ${all}: no step that touches all of it is faster. Bandwidth is often the scarcer one.`,
        { desc: 'training' },
      ),
    });
  }
  if (!isMemoryBound) {
    lines.push({
      kind: 'problem',
      text: msg(
        'This row is instruction bound: it is no figure of the memory. Choose another bandwidth where there is one.',
        {
          desc: 'training: the chosen bandwidth is not of the memory',
        },
      ),
    });
  }
  return lines;
}

function fitWords(size: string, capacity: string, share: number): string {
  const percent = formatNumber(share * 100, share < 0.1 ? 1 : 0);
  if (share <= 1) {
    return msg(str`${size} fit into ${capacity}: ${percent} % of it, before activations.`, { desc: 'training' });
  }
  return msg(str`${size} do not fit into ${capacity}: ${formatNumber(share, 1)} times too much, before activations.`, {
    desc: 'training',
  });
}

const bytesWords = (value: number): string => formatNumber(value, Number.isInteger(value) ? 0 : 2);

function partWords(part: StreamPart): string {
  switch (part) {
    case 'weights':
      return msg('weights', { desc: 'training: part of the state' });
    case 'gradients':
      return msg('gradients', { desc: 'training: part of the state' });
    case 'optimiser':
      return msg('optimiser state', { desc: 'training: part of the state' });
    default:
      return assertNever(part);
  }
}

export function fieldWords(field: ModelField): string {
  switch (field) {
    case 'parameters':
      return msg('Parameters', { desc: 'training field: how many' });
    case 'weights':
      return msg('Weights, B', { desc: 'training field: bytes a parameter' });
    case 'gradients':
      return msg('Gradients, B', { desc: 'training field: bytes a parameter' });
    case 'optimiser':
      return msg('Optimiser, B', { desc: 'training field: bytes a parameter' });
    case 'memory':
      return msg('Memory', { desc: 'training field: bytes of the device' });
    default:
      return assertNever(field);
  }
}

export function modelProblemWords(problem: ModelProblem): string {
  switch (problem) {
    case 'not-a-count':
      return msg('Write a number, such as 7e9 or 7B.', { desc: 'training: problem under a field' });
    case 'not-bytes':
      return msg('Write bytes, 0 to 1,024.', { desc: 'training: problem under a field' });
    case 'no-bytes':
      return msg('All three are 0: nothing to move.', { desc: 'training: problem under a field' });
    case 'not-a-size':
      return msg('Write a size, such as 24 GiB, or clear it.', { desc: 'training: problem under a field' });
    default:
      return assertNever(problem);
  }
}
