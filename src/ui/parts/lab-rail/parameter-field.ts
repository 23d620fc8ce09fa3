/** One parameter of a workload as a field, from its row of the table. An empty field means the default. */
import { html, nothing, type TemplateResult } from 'lit';
import { formatBytes, formatNumber } from '../../../base/format.js';
import { modelWords, parameterWords } from '../../../app/model-words.js';
import { type Parameter } from '../../../model/workload/parameter.js';

/** `given` is what was written, undefined for the default. */
export function parameterField(
  key: string,
  parameter: Parameter,
  given: string | undefined,
  problem: string | undefined,
  onChange: (value: string | undefined) => void,
): TemplateResult {
  return html`
    <label class="field ${problem === undefined ? '' : 'refused'}" title=${parameterWords(parameter)}>
      ${key} ${control(key, parameter, given, problem !== undefined, onChange)}
      ${problem === undefined ? nothing : html`<span class="problem" role="alert">${modelWords(problem)}</span>`}
    </label>
  `;
}

function control(
  key: string,
  parameter: Parameter,
  given: string | undefined,
  isRefused: boolean,
  onChange: (value: string | undefined) => void,
): TemplateResult {
  const change = (event: Event): void => {
    const { target } = event;
    if (!(target instanceof HTMLInputElement) && !(target instanceof HTMLSelectElement)) return;
    const value = target.value.trim();
    onChange(value === '' || value === String(parameter.fallback) ? undefined : value);
  };
  const choices = choicesOf(parameter);
  if (choices !== undefined) {
    const chosen = given ?? String(parameter.fallback);
    return html`<select name="parameter-${key}" @change=${change}>
      ${choices.map((each) => html`<option value=${each} ?selected=${each === chosen}>${each}</option>`)}
    </select>`;
  }
  return html`<input
    type="text"
    name="parameter-${key}"
    spellcheck="false"
    autocomplete="off"
    placeholder=${placeholderOf(parameter)}
    .value=${given ?? ''}
    aria-invalid=${isRefused ? 'true' : 'false'}
    @change=${change}
  />`;
}

function choicesOf(parameter: Parameter): readonly string[] | undefined {
  if (parameter.kind === 'choice') return parameter.choices;
  return parameter.kind === 'flag' ? ['true', 'false'] : undefined;
}

function placeholderOf(parameter: Parameter): string {
  if (parameter.kind === 'size') return formatBytes(parameter.fallback);
  return parameter.kind === 'integer' ? formatNumber(parameter.fallback) : String(parameter.fallback);
}
