import { msg } from '@lit/localize';
import { html, type TemplateResult } from 'lit';
import { icons } from '../../styles/icons.js';
import { type SampleName, SampleRequestedEvent } from '../../parts/diagnose-events.js';

const RECORD = `torch.cuda.memory._record_memory_history()
...
torch.cuda.memory._dump_snapshot("oom.pickle")`;

/** Under the large drop zone: how a snapshot is made, and examples for who has none. */
export function emptyDesk(): TemplateResult {
  const open = (sample: SampleName) => (event: Event) => event.target?.dispatchEvent(new SampleRequestedEvent(sample));
  const example = (sample: SampleName, title: string, about: string) => html`
    <li>
      <button class="example" @click=${open(sample)}>
        ${icons.file}<span><b>${title}</b><span class="quiet">${about}</span></span>
      </button>
    </li>
  `;
  return html`
    <div class="how">
      <section>
        <h2>${msg('Record a snapshot', { desc: 'heading on the empty desk' })}</h2>
        <pre tabindex="0"><code>${RECORD}</code></pre>
      </section>
      <section>
        <h2>${msg('Or start from an example', { desc: 'heading on the empty desk' })}</h2>
        <ul>
          ${example(
            'snapshot',
            msg('Training loop, runs out of memory', { desc: 'example' }),
            msg('snapshot with history, made by our model', { desc: 'what the example is' }),
          )}
          ${example(
            'text',
            msg('Out-of-memory text', { desc: 'example' }),
            msg('the message of the same run', { desc: 'what the example is' }),
          )}
        </ul>
      </section>
    </div>
  `;
}
