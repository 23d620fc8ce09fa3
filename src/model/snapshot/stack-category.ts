/** What a tensor is for, guessed from the functions that were running when it was allocated: a snapshot does not say. */
import { type CategoryName } from '../trace/trace.js';
import { type RecordedSnapshot } from './recorded-snapshot.js';

/** The first rule with a matching frame decides; frames are `path function`. */
const RULES: readonly (readonly [CategoryName, RegExp])[] = [
  ['communication', /torch\/distributed|c10d|nccl|all_reduce|all_gather|reduce_scatter/i],
  ['optimizer', /torch\/optim\/|optimizer\.py|\b_init_group\b|adam\w*\.py/i],
  ['gradient', /autograd\/graph\.py|_engine_run_backward|torch\/autograd\/__init__|\bbackward\b|AccumulateGrad/],
  [
    'parameter',
    /nn\/parameter|\breset_parameters\b|load_state_dict|from_pretrained|module\.py (?:_apply|convert|to)\b|__init__$/,
  ],
  ['activation', /\bforward\b|_call_impl|nn\/functional/],
];

/** The category; `unknown` where no rule fits or no stack was recorded. */
export function categoryOfStack({ stacks, strings }: RecordedSnapshot, stack: number): CategoryName {
  if (stack < 0) return 'unknown';
  const frames = [...stacks.framesOf(stack)].map((number) => {
    const { name, file } = stacks.frame(number);
    return `${strings.text(file)} ${strings.text(name)}`;
  });
  return RULES.find(([, rule]) => frames.some((frame) => rule.test(frame)))?.[0] ?? 'unknown';
}
