import { describe, expect, it } from 'vitest';
import { CARD_FIELDS, PLAN_FIELDS } from '../../../app/plan-view.js';
import { findArchitecture } from '../../../model/plan/architecture/presets.js';
import { collect, find, mount, textOf } from '../../testing/mount.js';
import { PlanForm } from './plan-form.js';

const named = (form: PlanForm, name: string) => find(form, `input[name=${name}]`, HTMLInputElement);

describe('the plan form', () => {
  it('tells each change by its field', async () => {
    const form = await mount(new PlanForm());
    const changes = collect(form, 'app-plan-changed');
    const batch = named(form, 'batch');
    batch.value = '16';
    batch.dispatchEvent(new Event('input'));
    find(form, 'select[name=zero]', HTMLSelectElement).value = '1';
    find(form, 'select[name=zero]', HTMLSelectElement).dispatchEvent(new Event('change'));
    named(form, 'flash').click();
    expect(changes.map(({ change }) => change)).toEqual([{ batch: '16' }, { zero: '1' }, { flash: '' }]);
  });

  it('the slider moves over powers of two and shows what the field says', async () => {
    const form = await mount(new PlanForm(), { fields: { ...PLAN_FIELDS, batch: '8' } });
    const changes = collect(form, 'app-plan-changed');
    const slider = find(form, 'input[type=range]', HTMLInputElement);
    expect([slider.value, slider.ariaValueText ?? slider.getAttribute('aria-valuetext')]).toEqual(['12', '8']);
    slider.value = '16';
    slider.dispatchEvent(new Event('input'));
    expect(changes[0]?.change).toEqual({ batch: '16' });
  });

  it('ends the sequence where the positions of the model end', async () => {
    const form = await mount(new PlanForm(), { architecture: findArchitecture('gpt2') });
    const sliders = form.renderRoot.querySelectorAll('input[type=range]');
    expect(sliders[1]?.getAttribute('max')).toBe('40');
  });

  it('says at the field what is wrong with it', async () => {
    const form = await mount(new PlanForm(), {
      problem: { field: 'tp', message: '--tp: 5 does not divide 32 heads', what: '--tp' },
    });
    const field = named(form, 'tp');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(textOf(form.renderRoot.querySelector(`#${field.getAttribute('aria-describedby') ?? 'none'}`))).toBe(
      '5 does not divide 32 heads',
    );
  });

  it('names the file that was refused, whose name stands nowhere else', async () => {
    const message = 'vit.json: model_type "vit" is not planned';
    const form = await mount(new PlanForm(), { problem: { field: 'config', message, what: 'vit.json' } });
    expect(textOf(form.renderRoot.querySelector('[role=alert]'))).toBe(message);
  });

  it('asks for a shape where only a count is given, and not for training in inference', async () => {
    const form = await mount(new PlanForm(), { fields: { ...PLAN_FIELDS, arch: '', mode: 'inference' } });
    expect(named(form, 'hidden').value).toBe('');
    expect(form.renderRoot.querySelector('[name=optimizer]')).toBeNull();
    expect(form.renderRoot.querySelector('[name=weights]')).not.toBeNull();
  });

  it('tells changes of the card apart', async () => {
    const form = await mount(new PlanForm(), { card: CARD_FIELDS });
    const changes = collect(form, 'app-card-changed');
    const capacity = named(form, 'capacity');
    capacity.value = '24 GiB';
    capacity.dispatchEvent(new Event('input'));
    expect(changes.map(({ change }) => change)).toEqual([{ capacity: '24 GiB' }]);
  });
});
