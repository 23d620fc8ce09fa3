/** Call stacks of the sample: what a training script of this shape would have recorded for each of its tensors. */
import { type SnapshotFrame } from '../../snapshot/write-snapshot.js';

const OWN = '/workspace/lesson';
const TORCH = '/usr/lib/python3/dist-packages/torch';
const frame = (filename: string, line: number, name: string): SnapshotFrame => ({ name, filename, line });

const SCRIPT = [frame(`${OWN}/train.py`, 88, 'main'), frame(`${OWN}/train.py`, 94, '<module>')];
const STEP = [frame(`${OWN}/train.py`, 52, 'training_step'), ...SCRIPT];
const CALL = [frame(`${TORCH}/nn/modules/module.py`, 1750, '_call_impl'), frame(`${OWN}/model.py`, 71, 'forward')];
const LINEAR = frame(`${TORCH}/nn/modules/linear.py`, 125, 'forward');
const BACKWARD = [
  frame(`${TORCH}/autograd/graph.py`, 825, '_engine_run_backward'),
  frame(`${TORCH}/autograd/__init__.py`, 347, 'backward'),
  frame(`${OWN}/train.py`, 60, 'training_step'),
  ...SCRIPT,
];

/** The first rule whose pattern the tensor's name has decides. */
const RULES: readonly (readonly [RegExp, readonly SnapshotFrame[]])[] = [
  [/^bank/, [frame(`${OWN}/bank.py`, 17, 'join_bank'), ...STEP]],
  [/^kept\.append/, [frame(`${OWN}/train.py`, 57, 'keep_log_probs'), ...STEP]],
  [
    /exp_avg/,
    [frame(`${TORCH}/optim/adam.py`, 162, '_init_group'), frame(`${OWN}/train.py`, 63, 'training_step'), ...SCRIPT],
  ],
  [/^update/, [frame(`${TORCH}/optim/adam.py`, 247, 'step'), frame(`${OWN}/train.py`, 63, 'training_step'), ...SCRIPT]],
  [/all_reduce/, [frame(`${TORCH}/distributed/distributed_c10d.py`, 2806, 'all_reduce'), ...BACKWARD]],
  [/grad$|^d /, BACKWARD],
  [
    /weight$/,
    [frame(`${TORCH}/nn/modules/module.py`, 1340, 'convert'), frame(`${OWN}/train.py`, 80, 'build_model'), ...SCRIPT],
  ],
  [/qkv/, [LINEAR, frame(`${OWN}/model.py`, 33, 'forward'), ...CALL, ...STEP]],
  [/scores/, [frame(`${OWN}/model.py`, 38, 'attention_scores'), ...CALL, ...STEP]],
  [/attn/, [frame(`${OWN}/model.py`, 41, 'attention'), ...CALL, ...STEP]],
  [/mlp/, [LINEAR, frame(`${OWN}/model.py`, 49, 'mlp'), ...CALL, ...STEP]],
  [/layers/, [frame(`${OWN}/model.py`, 52, 'residual'), ...CALL, ...STEP]],
  [
    /logits|log_softmax/,
    [frame(`${TORCH}/nn/functional.py`, 2248, 'log_softmax'), frame(`${OWN}/train.py`, 55, 'loss'), ...STEP],
  ],
];

/** The stack, innermost frame first. The same name gives the same frames. */
export const sampleStack = (tensor: string): readonly SnapshotFrame[] =>
  RULES.find(([pattern]) => pattern.test(tensor))?.[1] ?? STEP;
