/** The side of Diagnose: where files come in, those that lie there, and what is asked of the one that is shown. */
import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { type DeskState, type ReadyFile, type SnapshotView } from '../../../app/diagnose/desk-state.js';
import { type DiagnoseView } from '../../../app/diagnose/diagnose-view.js';
import { modelWords } from '../../../app/model-words.js';
import '../../parts/drop-zone/drop-zone.js';
import '../../parts/file-list/file-list.js';
import '../../parts/question-form/question-form.js';
import { icons } from '../../styles/icons.js';
import { type RefusedTexts } from './link-controller.js';

/** The zone that takes files; `over`: something hangs over the window. */
export const dropZone = ({ files, refusals }: DeskState, over: boolean, wide: boolean): TemplateResult =>
  html`<app-drop-zone
    ?wide=${wide}
    .over=${over}
    .reading=${files.filter((file) => file.phase !== 'ready')}
    .refusals=${refusals}
  ></app-drop-zone>`;

export interface DeskRail {
  readonly desk: DeskState;
  readonly over: boolean;
  readonly file: ReadyFile | undefined;
  readonly view: DiagnoseView;
  readonly refused: RefusedTexts;
  /** There is no room beside the stage: the rail is a line above it that opens. */
  readonly isNarrow: boolean;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}

/** The whole side. */
export function deskRail(rail: DeskRail): TemplateResult {
  const label = msg('Files', { desc: 'name of the side with the open files and the question' });
  const { desk, file } = rail;
  const setup = html`
    <div class="drop">${dropZone(desk, rail.over, false)}</div>
    <app-file-list .files=${desk.files} .shown=${desk.shown}></app-file-list>
    ${file?.snapshot === undefined ? nothing : question(rail, file.snapshot)}
  `;
  if (!rail.isNarrow) return html`<aside class="rail" aria-label=${label} tabindex="0">${setup}</aside>`;
  return html`
    <aside class="rail" aria-label=${label}>
      <details ?open=${rail.isOpen}>
        <summary
          @click=${(event: Event) => {
            // The page says whether it is open: it also opens by itself for what is read and refused.
            event.preventDefault();
            rail.onOpen(!rail.isOpen);
          }}
        >
          ${icons.open}
          <h2>${label}</h2>
          <span class="quiet summary">${file?.name ?? ''}</span>
        </summary>
        <div class="setup">${setup}</div>
      </details>
    </aside>
  `;
}

function question({ view, refused }: DeskRail, { devices, device, sweep }: SnapshotView): TemplateResult {
  const isReady = sweep.phase === 'ready';
  return html`<app-question-form
    .capacity=${refused.capacity?.text ?? view.capacity}
    .conf=${refused.conf?.text ?? view.conf ?? (isReady ? sweep.input.conf : '')}
    .recorded=${isReady ? sweep.input.capacity : undefined}
    .devices=${devices}
    .device=${device}
    .problem=${modelWords(refused.capacity?.problem ?? '')}
    .confProblem=${modelWords(refused.conf?.problem ?? '')}
  ></app-question-form>`;
}
