/** The step of a plan as a trace, whatever its mode. */
import { type Plan } from '../plan.js';
import { inferenceStep } from './inference-step.js';
import { type StepTrace } from './recorder.js';
import { trainingStep } from './training-step.js';

/** The trace of a plan's step; undefined where its shape is not known. `steps`: how often a training step is repeated. */
export function makeStep({ model, shape, settings }: Plan, steps = 1): StepTrace | undefined {
  if (shape === undefined) return undefined;
  const meta = { plan: { model: model.name, settings } };
  const name = `${settings.mode} ${model.name}`;
  return settings.mode === 'inference' ? inferenceStep(name, shape, meta) : trainingStep(name, shape, steps, meta);
}
