/** The hand-out of the lesson on screen: every step run anew on the models, with the room's guesses and GPU results. */
import { type LessonSession } from '../../../app/lesson/lesson-session.js';
import { runDate } from '../../../app/words.js';
import { handOutHtml, type HandOutStep } from '../../../model/lesson/hand-out.js';
import { type Language } from '../../../model/lesson/local-text.js';
import { type Lesson } from '../../../model/lesson/schema.js';
import { loadWords } from '../../../model/lesson/words.js';
import { deviceLines, machineWords } from './device-words.js';

export interface HandOutFile {
  readonly name: string;
  readonly html: string;
}

/** `source` is what `vramlab lesson` takes: the lesson's name, or its file. Steps that cannot be run are left out. */
export async function handOutFile(
  session: LessonSession,
  lesson: Lesson,
  source: string,
  language: Language,
): Promise<HandOutFile> {
  const steps: HandOutStep[] = [];
  let adapter = '';
  for (const step of lesson.steps) {
    await session.compute(step);
    const model = session.state.models.get(step);
    if (model?.kind !== 'done') continue;
    const device = session.state.devices.get(step) ?? { kind: 'idle' };
    if (device.kind === 'carried' || device.kind === 'measured') adapter = machineWords(device.environment);
    const lines = deviceLines(step, device, language).map(({ text }) => text);
    steps.push({ step, result: model.result, pick: session.state.picks.get(step), device: lines });
  }
  const { claims } = await loadWords();
  const madeAt = new Date().toISOString();
  const html = handOutHtml({
    lesson,
    source: { name: source },
    language,
    steps,
    claims,
    madeAt: runDate(madeAt),
    adapter,
  });
  return { name: `vramlab-${lesson.id}-${language}.html`, html };
}
