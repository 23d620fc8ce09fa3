/** "Run it on this machine's GPU": the button, how far it is, and what came of it. */
import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { type AdapterState, badgeOf } from '../../../app/adapter-state.js';
import { type GpuHolder } from '../../../app/gpu-turns.js';
import { type DeviceState, hasDeviceRun } from '../../../app/lesson/device-run.js';
import { gpuHolderWords } from '../../../app/words.js';
import { formatBytes, formatNumber } from '../../../base/format.js';
import { type Language } from '../../../model/lesson/local-text.js';
import { type Step } from '../../../model/lesson/schema.js';
import { icons } from '../../styles/icons.js';
import { softwareMark } from '../../parts/badge.js';
import { deviceLines, machineWords, modelOnlyLines } from './device-words.js';

export interface DeviceBoxState {
  readonly step: Step;
  readonly language: Language;
  readonly adapter: AdapterState;
  readonly device: DeviceState;
  /** Who has the GPU, as far as this tab knows. */
  readonly holder: GpuHolder | undefined;
}

export interface DeviceActions {
  readonly onRun: () => void;
  readonly onCancel: () => void;
}

export function deviceBox(state: DeviceBoxState, actions: DeviceActions): TemplateResult {
  const { step, device, language } = state;
  return html`
    <section class="device" aria-label=${msg("On this machine's GPU", { desc: 'lesson: region' })}>
      ${control(state, actions)}
      <div class="came" aria-live="polite">
        ${
          device.kind === 'carried' || device.kind === 'measured'
            ? html`<p class="machine">${softwareMark(badgeOf(state.adapter))} ${machineWords(device.environment)}</p>`
            : nothing
        }
        <ul>
          ${deviceLines(step, device, language).map(
            ({ look, text }) =>
              html`<li class=${look}>
                ${look === 'ok' ? icons.ok : look === 'bad' ? icons.bad : nothing} <span>${text}</span>
              </li>`,
          )}
        </ul>
      </div>
    </section>
  `;
}

function control(state: DeviceBoxState, { onRun, onCancel }: DeviceActions) {
  const { step, adapter, device, holder, language } = state;
  if (!hasDeviceRun(step)) {
    const lines = modelOnlyLines(step, language);
    return html`<p class="hint">
      ${
        lines.length === 0
          ? msg('Arithmetic: nothing to run on a GPU.', { desc: 'lesson: a step without a GPU run' })
          : msg('This step runs on the model only.', { desc: 'lesson: a step without a GPU run' })
      }
    </p>`;
  }
  if (adapter.kind === 'none') {
    return html`<p class="hint">
      ${
        step.measure === undefined
          ? msg('This browser has no WebGPU adapter: what you see is the model.', { desc: 'lesson: no GPU' })
          : msg('This browser has no WebGPU adapter: the figures in the text were measured elsewhere.', {
              desc: 'lesson: no GPU, a measured step',
            })
      }
    </p>`;
  }
  if (device.kind === 'running') {
    return html`
      <button @click=${onCancel}>${msg('Cancel', { desc: 'button: stops the run on the GPU' })}</button>
      <span role="status">${progressWords(device)}</span>
    `;
  }
  return html`
    <button ?disabled=${holder !== undefined || adapter.kind !== 'ready'} @click=${onRun}>
      ${icons.play}
      ${
        step.measure === undefined
          ? msg("Run it on this machine's GPU", { desc: 'button: lesson' })
          : msg('Measure it on this machine', { desc: 'button: lesson' })
      }
      <kbd>G</kbd>
    </button>
    ${
      // The step that runs is another one: whoever stands here can stop it.
      holder === 'lesson'
        ? html`<button @click=${onCancel}>${msg('Cancel', { desc: 'button: stops the run on the GPU' })}</button>`
        : nothing
    }
    ${holder === undefined ? nothing : html`<span class="hint" role="status">${gpuHolderWords(holder)}</span>`}
  `;
}

function progressWords({ reached, rows }: Extract<DeviceState, { readonly kind: 'running' }>): string {
  if (reached !== undefined) {
    const [at, of] = [formatNumber(reached.operation), formatNumber(reached.operations)];
    const held = formatBytes(reached.heldBytes);
    return msg(str`operation ${at} of ${of}, ${held} of buffers`, { desc: 'lesson: progress on the GPU' });
  }
  if (rows.length > 0) {
    const count = formatNumber(rows.length);
    return msg(str`Rows measured: ${count}`, { desc: 'lesson: progress of a measurement' });
  }
  return msg('Running on the GPU', { desc: 'lesson: progress on the GPU' });
}
