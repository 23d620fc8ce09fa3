import axe from 'axe-core';
import { describe, expect, it } from 'vitest';
import { type DeviceState } from '../../../app/lesson/device-run.js';
import { loadLesson } from '../../../model/lesson/built-in.js';
import { runStep } from '../../../model/lesson/run-step.js';
import { type ScenePart, sceneOfRun } from '../../../model/lesson/scene-of-run.js';
import { type Run, type Step } from '../../../model/lesson/schema.js';
import { measured } from '../../../model/report/testing/report-sample.js';
import { mount, textOf } from '../../testing/mount.js';
import { type MemoryView } from '../memory-view/memory-view.js';
import { LessonScene } from './lesson-scene.js';

async function stepNamed(id: string): Promise<Step> {
  const { steps } = await loadLesson(id.slice(0, id.indexOf('/')));
  const step = steps.find((each) => each.id === id);
  if (step === undefined) throw new Error(`no step ${id}`);
  return step;
}

const load = (step: Step, run: Run, part: ScenePart) => Promise.resolve(sceneOfRun(step, run, part));

async function show(id: string, properties: Partial<LessonScene> = {}): Promise<LessonScene> {
  const scene = new LessonScene();
  scene.style.inlineSize = '640px';
  scene.style.blockSize = '600px';
  await mount(scene, { step: await stepNamed(id), load, ...properties });
  return scene;
}

async function viewOf(scene: LessonScene): Promise<MemoryView> {
  await expect.poll(() => scene.renderRoot.querySelector('app-memory-view')).not.toBeNull();
  const view = scene.renderRoot.querySelector('app-memory-view');
  if (view === null) throw new Error('no memory view');
  await view.updateComplete;
  return view;
}
const operationsOf = (view: MemoryView): number => view.runs[0]?.end ?? -1;

describe('a replay step', () => {
  it('stands at the question before the answer, and at the end after it', async () => {
    const scene = await show('holes/pin');
    const view = await viewOf(scene);
    const [run] = (await stepNamed('holes/pin')).runs;
    if (run === undefined) throw new Error('no run');
    const step = await stepNamed('holes/pin');
    expect(operationsOf(view)).toBe(sceneOfRun(step, run, 'start').run.end);
    scene.revealed = true;
    await expect.poll(() => operationsOf(view)).toBe(sceneOfRun(step, run, 'whole').run.end);
    expect(scene.renderRoot.textContent).toContain('PyTorch, 256 MiB');
  });

  it('shows another run when its tab is pressed', async () => {
    const scene = await show('sizes/nine-or-ten', { revealed: true });
    const view = await viewOf(scene);
    expect(view.runs[0]?.name).toBe('nine');
    const tabs = [...scene.renderRoot.querySelectorAll<HTMLButtonElement>('.tabs button')];
    expect(tabs.map((tab) => tab.getAttribute('aria-pressed'))).toEqual(['true', 'false', 'false']);
    tabs[1]?.click();
    await expect.poll(() => scene.renderRoot.querySelector('app-memory-view')?.runs[0]?.name).toBe('ten');
  });

  it('says why it failed beside the map, where the step asks for that', async () => {
    const scene = await show('sizes/tiny-oom', { revealed: true });
    await expect.poll(() => scene.renderRoot.querySelector('app-why-panel') !== null).toBe(true);
  });

  it('stands where the GPU is while it runs', async () => {
    const scene = await show('holes/pin');
    await viewOf(scene);
    const reached = { operation: 1, operations: 4, step: '', segments: 1, heldBytes: 1, movedBytes: 1 };
    scene.device = { kind: 'running', run: 'a', reached, rows: [] };
    await expect.poll(() => scene.renderRoot.querySelector('app-memory-view')?.position).toBe(1);
  });

  it('drops a run that arrives after the step has changed', async () => {
    let finish: () => void = () => undefined;
    const late = new Promise<void>((resolve) => (finish = resolve));
    const slowly = async (step: Step, run: Run, part: ScenePart) => {
      if (step.id === 'holes/pin') await late;
      return sceneOfRun(step, run, part);
    };
    const scene = await show('holes/pin', { load: slowly });
    scene.step = await stepNamed('holes/neighbours');
    const view = await viewOf(scene);
    const shown = view.runs[0];
    finish();
    await late;
    await scene.updateComplete;
    expect(scene.renderRoot.querySelector('app-memory-view')?.runs[0]).toBe(shown);
  });
});

it('a step of sums shows bars, and their values only after the answer', async () => {
  const step = await stepNamed('training/seven-b');
  const scene = await show('training/seven-b', { result: runStep(step) });
  const bars = () => textOf(scene.renderRoot.querySelector('app-plan-bars'));
  await expect.poll(() => scene.renderRoot.querySelector('app-plan-bars')).not.toBeNull();
  await scene.renderRoot.querySelector('app-plan-bars')?.updateComplete;
  expect(bars()).not.toContain('14 GB');
  scene.revealed = true;
  await scene.updateComplete;
  await scene.renderRoot.querySelector('app-plan-bars')?.updateComplete;
  expect(bars()).toContain('14 GB');
});

describe('a measured step', () => {
  it('asks to be run, then draws what this machine gave', async () => {
    const scene = await show('tiers/spill');
    expect(scene.renderRoot.textContent).toContain('Run it on this machine to draw this.');
    const row = measured('tiers/register/f32/vec4x8', 32.8);
    const device: DeviceState = { kind: 'running', run: '', reached: undefined, rows: [row] };
    scene.device = device;
    await scene.updateComplete;
    const bars = scene.renderRoot.querySelector('app-plan-bars');
    await bars?.updateComplete;
    expect(bars?.bars.map(({ parts }) => parts.map(({ label, shown }) => [label, shown]))).toEqual([
      [['vec4x8', '32.8 GB/s']],
    ]);
  });

  it('has nothing that axe finds', async () => {
    const scene = await show('tiers/latency');
    const { violations } = await axe.run(scene);
    expect(violations.map(({ id }) => id)).toEqual([]);
  });
});
