import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { modelWords } from '../../../app/model-words.js';
import { type MissingGpu } from '../../../app/adapter-state.js';
import { AdapterRequestedEvent, RunsRequestedEvent } from '../../events.js';
import { controls } from '../../styles/controls.styles.js';
import { styles } from './missing-gpu.styles.js';

/** What is missing for a measurement and how to get it, for the browser at hand. */
@localized()
@customElement('app-missing-gpu')
export class MissingGpuNotice extends LitElement {
  static override styles = [controls, styles];
  @property() missing: MissingGpu = 'no-webgpu';
  /** What the engine said, '' when it was not asked. */
  @property() detail = '';
  /** `navigator.userAgent`, so that the advice is for this browser. */
  @property() userAgent = '';

  override render() {
    return html`
      <section aria-labelledby="head">
        <h2 id="head">${headWords(this.missing)}</h2>
        <p>${whyWords(this.missing)}</p>
        ${this.detail === '' ? nothing : html`<p class="quiet" id="detail">${modelWords(this.detail)}</p>`}
        <ul>
          ${this.#advice().map((line) => html`<li>${line}</li>`)}
        </ul>
        <p>
          <button class="primary" @click=${() => this.dispatchEvent(new AdapterRequestedEvent())}>
            ${msg('Ask again', { desc: 'button: ask the browser for an adapter again' })}
          </button>
          <button @click=${() => this.dispatchEvent(new RunsRequestedEvent())}>
            ${msg('Open a recorded run', { desc: 'button: opens the list of kept runs, which takes files too' })}
          </button>
        </p>
      </section>
    `;
  }

  #advice(): readonly TemplateResult[] {
    if (this.missing === 'insecure-context') return insecureAdvice();
    const browser = /Firefox\//.test(this.userAgent)
      ? firefoxAdvice()
      : /Chrom(e|ium)\/|Edg\//.test(this.userAgent)
        ? chromiumAdvice(/Linux/.test(this.userAgent) && !/Android/.test(this.userAgent))
        : /Safari\//.test(this.userAgent)
          ? safariAdvice()
          : [];
    return [...browser, anywhereAdvice()];
  }
}

function headWords(missing: MissingGpu): string {
  switch (missing) {
    case 'insecure-context':
      return msg('This page was not opened over a secure connection', { desc: 'heading: no WebGPU' });
    case 'no-webgpu':
      return msg('This browser has no WebGPU', { desc: 'heading: no WebGPU' });
    case 'no-adapter':
      return msg('This browser gives no WebGPU adapter', { desc: 'heading: no WebGPU' });
  }
}

function whyWords(missing: MissingGpu): string {
  switch (missing) {
    case 'insecure-context':
      return msg('Browsers give WebGPU only to pages from https or from this machine. Measuring needs it.', {
        desc: 'why there is no WebGPU',
      });
    case 'no-webgpu':
      return msg('There is no navigator.gpu here. Measuring needs it; it is never replaced by something else.', {
        desc: 'why there is no WebGPU',
      });
    case 'no-adapter':
      return msg('WebGPU is there, but the browser was asked for an adapter and gave none. Measuring needs one.', {
        desc: 'why there is no adapter',
      });
  }
}

function chromiumAdvice(isLinux: boolean): readonly TemplateResult[] {
  const where = html`<code>chrome://gpu</code>`;
  const look = msg(html`Open ${where} and look for "WebGPU: Hardware accelerated".`, { desc: 'advice for Chrome' });
  const vulkan = html`<code>--enable-unsafe-webgpu --enable-features=Vulkan</code>`;
  const software = html`<code>--enable-unsafe-webgpu --use-webgpu-adapter=swiftshader</code>`;
  return [
    look,
    msg('Switch on "Use graphics acceleration when available" in the settings and start the browser again.', {
      desc: 'advice for Chrome',
    }),
    ...(isLinux ? [msg(html`On Linux, start Chrome with ${vulkan}.`, { desc: 'advice for Chrome on Linux' })] : []),
    msg(html`To try the page on the CPU, start Chrome with ${software}.`, { desc: 'advice for Chrome' }),
  ].map((line) => html`${line}`);
}

function firefoxAdvice(): readonly TemplateResult[] {
  const key = html`<code>dom.webgpu.enabled</code>`;
  return [
    html`${msg('Firefox has WebGPU from version 141 on Windows and 145 on Macs with Apple chips.', {
      desc: 'advice for Firefox',
    })}`,
    html`${msg(html`Elsewhere, take Firefox Nightly, open about:config and set ${key} to true.`, {
      desc: 'advice for Firefox',
    })}`,
  ];
}

const safariAdvice = (): readonly TemplateResult[] => [
  html`${msg('Safari has WebGPU from version 26. Before that, switch on the WebGPU feature flag in the Develop menu.', {
    desc: 'advice for Safari',
  })}`,
];

function insecureAdvice(): readonly TemplateResult[] {
  const serve = html`<code>npx vramlab serve</code>`;
  const local = 'http://localhost';
  return [
    html`${msg(html`Start it on this machine: ${serve} prints an address that works.`, { desc: 'advice: not secure' })}`,
    html`${msg(str`Or open it over https, or from ${local}.`, { desc: 'advice: not secure' })}`,
  ];
}

const anywhereAdvice = (): TemplateResult =>
  html`${msg('Current Chrome and Edge have WebGPU on Windows, macOS, ChromeOS and Android.', {
    desc: 'advice for any browser',
  })}`;

declare global {
  interface HTMLElementTagNameMap {
    'app-missing-gpu': MissingGpuNotice;
  }
}
