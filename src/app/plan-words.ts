/** Words of the Plan page that several of its parts share. */
import { msg } from '@lit/localize';
import { modelWords } from './model-words.js';
import { assertNever } from '../base/errors.js';
import { type TermId } from '../model/plan/term.js';
import { type PlanProblem } from './plan-reading.js';
import { type CardField, type PlanField } from './plan-view.js';

/** Name of a term, as in tables and on bars. */
export function termWords(id: TermId): string {
  switch (id) {
    case 'parameters':
      return msg('Parameters', { desc: 'plan: term' });
    case 'quantization':
      return msg('Block constants', { desc: 'plan: term, constants of weights in few bits' });
    case 'gradients':
      return msg('Gradients', { desc: 'plan: term' });
    case 'optimizer':
      return msg('Optimiser states', { desc: 'plan: term' });
    case 'master-weights':
      return msg('fp32 copies', { desc: 'plan: term, master weights' });
    case 'activations':
      return msg('Activations', { desc: 'plan: term' });
    case 'recompute':
      return msg('Run again', { desc: 'plan: term, activations of the layer that runs again' });
    case 'logits':
      return msg('Logits and loss', { desc: 'plan: term' });
    case 'kv-cache':
      return msg('Key-value cache', { desc: 'plan: term' });
    case 'temporaries':
      return msg('Temporaries', { desc: 'plan: term' });
    case 'workspace':
      return msg('Workspace', { desc: 'plan: term, of cuBLAS' });
    case 'communication':
      return msg('Communication', { desc: 'plan: term' });
    case 'nccl':
      return msg('NCCL', { desc: 'plan: term, buffers of NCCL' });
    case 'context':
      return msg('Context', { desc: 'plan: term, CUDA context' });
    default:
      return assertNever(id);
  }
}

/** What is wrong, for a place that says already what it is about; of a file its name is kept, since no field has it. */
export function planProblemWords({ field, message, what }: PlanProblem): string {
  const words = modelWords(message);
  return field !== 'config' && words.startsWith(what) ? words.slice(what.length).replace(/^[:\uff1a]\s*/, '') : words;
}

/** Label of a field. */
export function planFieldWords(field: PlanField | CardField): string {
  switch (field) {
    case 'arch':
      return msg('Model', { desc: 'plan: field' });
    case 'config':
      return msg('config.json', { desc: 'plan: field, a file' });
    case 'params':
      return msg('Parameters', { desc: 'plan: field, a count' });
    case 'layers':
      return msg('Layers', { desc: 'plan: field' });
    case 'hidden':
      return msg('Hidden size', { desc: 'plan: field' });
    case 'heads':
      return msg('Heads', { desc: 'plan: field' });
    case 'vocab':
      return msg('Vocabulary', { desc: 'plan: field' });
    case 'batch':
      return msg('Batch', { desc: 'plan: field, sequences of a micro-batch' });
    case 'seq':
      return msg('Sequence', { desc: 'plan: field, tokens' });
    case 'mode':
      return msg('Job', { desc: 'plan: field, training or inference' });
    case 'precision':
      return msg('Precision', { desc: 'plan: field' });
    case 'optimizer':
      return msg('Optimiser', { desc: 'plan: field' });
    case 'master':
      return msg('fp32 copies of weights', { desc: 'plan: switch' });
    case 'zero':
      return msg('ZeRO stage', { desc: 'plan: field' });
    case 'dp':
      return msg('Data parallel', { desc: 'plan: field, devices' });
    case 'tp':
      return msg('Tensor parallel', { desc: 'plan: field, devices' });
    case 'pp':
      return msg('Pipeline stages', { desc: 'plan: field' });
    case 'stage':
      return msg('Planned stage', { desc: 'plan: field, which pipeline stage' });
    case 'sp':
      return msg('Sequence parallel', { desc: 'plan: switch' });
    case 'recompute':
      return msg('Recompute', { desc: 'plan: field' });
    case 'flash':
      return msg('Fused attention', { desc: 'plan: switch' });
    case 'accumulate':
      return msg('Micro-batches', { desc: 'plan: field, of a step' });
    case 'offload':
      return msg('Offload', { desc: 'plan: field' });
    case 'weights':
      return msg('Frozen weights', { desc: 'plan: field, how they are stored' });
    case 'capacity':
      return msg('Card', { desc: 'plan: field, memory of the card' });
    case 'context':
      return msg('Context', { desc: 'plan: field, bytes of the CUDA context' });
    case 'allocator':
      return msg('Allocator', { desc: 'plan: field' });
    case 'conf':
      return msg('Its settings', { desc: 'plan: field, settings of the allocator' });
    default:
      return assertNever(field);
  }
}
