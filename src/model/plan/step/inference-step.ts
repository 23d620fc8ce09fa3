/** The first pass of a generation as a trace: weights and cache, then the prompt through every layer. */
import { say } from '../../../base/said.js';
import { type StepShape } from '../shape.js';
import { CUBLAS_WORKSPACE } from '../terms/workspace.js';
import { Layers } from './layers.js';
import { NOTHING, Recorder, type StepTrace } from './recorder.js';
import { Weights } from './weights.js';

/** The trace of weights, key-value cache and prompt. */
export function inferenceStep(name: string, shape: StepShape, meta: Readonly<Record<string, unknown>> = {}): StepTrace {
  const record = new Recorder(name);
  const { rank, settings, architecture, width, batch, sequence, ids, hidden, whole, gathers } = shape;
  const weights = new Weights(record, rank, settings);
  const layers = new Layers(record, shape, weights);
  weights.makeStates();
  const stack = rank.groups.filter(({ part }) => part === 'layer');
  if (architecture.kind === 'decoder') {
    const tokens = batch * (sequence + settings.outputTokens);
    const each = width * rank.kvHeads * architecture.headSize * tokens;
    for (const { name: layer } of stack) {
      record.make(each, 'kv-cache', `${layer} keys`);
      record.make(each, 'kv-cache', `${layer} values`);
    }
  }
  record.make(CUBLAS_WORKSPACE, 'workspace', 'cuBLAS workspace');
  record.mark(say`prompt`);
  const inputs = rank.isFirst ? record.make(ids, 'activations', 'token numbers') : NOTHING;
  const tokens = !rank.isFirst
    ? NOTHING
    : gathers
      ? record.make(whole, 'communication', 'token embeddings over the sequence')
      : record.make(hidden, 'temporaries', 'token embeddings');
  let state = record.make(hidden, 'activations', 'embeddings');
  record.free(tokens);
  for (const group of stack) {
    const { output } = layers.forward(group, state, 'activations');
    record.free(state);
    state = output;
  }
  if (rank.isLast) {
    const normed = record.make(hidden, 'temporaries', 'final norm');
    const logits = architecture.kind === 'decoder' ? batch * rank.vocabulary : 0;
    const narrow = record.make(width * logits, 'logits', 'logits of the last token');
    const exact = record.make(width === 2 ? 4 * logits : 0, 'logits', 'logits in fp32');
    record.free(normed, narrow, exact);
  }
  record.free(state, inputs);
  return record.finish(meta);
}
