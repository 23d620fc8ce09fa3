/** The model worker's work for the Lesson page. */
import { transfer } from 'comlink';
import { loadLesson } from '../model/lesson/built-in.js';
import { readCourse } from '../model/lesson/read-course.js';
import { runStep } from '../model/lesson/run-step.js';
import { traceOfRun } from '../model/lesson/run-trace.js';
import { sceneOfRun } from '../model/lesson/scene-of-run.js';
import { transferablesOf } from '../model/memory-map/memory-run.js';
import { writeTrace } from '../model/trace/trace-writer.js';
import { type LessonApi } from './lesson-protocol.js';

/** The part of the worker's API that the Lesson page uses. */
export const createLessonEngine = (): LessonApi => ({
  lesson: loadLesson,
  // Async, so that what is refused rejects.
  lessonFile: async (text, name) => Promise.resolve(readCourse(text, name).lessons),
  lessonStep: async (step) => Promise.resolve(runStep(step)),
  lessonScene: async (step, run, part) => {
    const scene = sceneOfRun(step, run, part);
    return Promise.resolve(transfer(scene, transferablesOf(scene.run)));
  },
  lessonTrace: async (run) => Promise.resolve([...writeTrace(traceOfRun(run))].join('')),
});
