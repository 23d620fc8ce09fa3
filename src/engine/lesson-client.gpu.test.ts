/** Lessons in a model worker: what arrives is what the models say, and what is refused arrives as one line. */
import { expect, it, onTestFinished } from 'vitest';
import { AppError } from '../base/errors.js';
import { loadLesson } from '../model/lesson/built-in.js';
import { runStep } from '../model/lesson/run-step.js';
import { sceneOfRun } from '../model/lesson/scene-of-run.js';
import { LessonClient } from './lesson-client.js';

function open(): LessonClient {
  const models = new LessonClient();
  onTestFinished(() => models.dispose());
  return models;
}

it('gives lessons, numbers, scenes and programs as the models do', async () => {
  const models = open();
  const lesson = await models.lesson('holes');
  expect(lesson).toEqual(await loadLesson('holes'));
  for (const step of lesson.steps) {
    expect(await models.step(step)).toEqual(runStep(step));
    for (const run of step.runs) {
      for (const part of ['start', 'whole'] as const) {
        expect(await models.scene(step, run, part), `${step.id} ${run.id} ${part}`).toEqual(
          sceneOfRun(step, run, part),
        );
      }
      expect(JSON.parse(await models.trace(run))).toMatchObject({ schema: 'vramlab-trace' });
    }
  }
});

it('says in one line what it cannot use', async () => {
  const models = open();
  await expect(models.lesson('nowhere')).rejects.toThrow(AppError);
  await expect(models.open('{', 'mine.json')).rejects.toThrow(/^mine\.json: not JSON/);
});

it('ends what runs when it is closed, and can be asked again', async () => {
  const models = open();
  const asked = models.lesson('holes');
  models.dispose();
  await expect(asked).rejects.toThrow('the lessons were closed');
  expect((await models.lesson('concat')).id).toBe('concat');
});
