import { expect, it } from 'vitest';
import { type MissingGpu } from '../../../app/adapter-state.js';
import { button, collect, mount, textOf } from '../../testing/mount.js';
import { MissingGpuNotice } from './missing-gpu.js';

const CHROME_LINUX = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36';
const CHROME_MAC = CHROME_LINUX.replace('X11; Linux x86_64', 'Macintosh');
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';
const SAFARI = 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15';
const show = (missing: MissingGpu, userAgent: string) => mount(new MissingGpuNotice(), { missing, userAgent });

it.each([
  ['no-adapter', CHROME_LINUX, ['gives no WebGPU adapter', 'chrome://gpu', '--enable-features=Vulkan', 'swiftshader']],
  ['no-webgpu', FIREFOX, ['has no WebGPU', 'dom.webgpu.enabled']],
  ['no-webgpu', SAFARI, ['Safari has WebGPU from version 26']],
  ['insecure-context', CHROME_MAC, ['secure connection', 'npx vramlab serve']],
  ['no-webgpu', 'curl/8', ['Current Chrome and Edge']],
] as const)('%s in %s gets advice that fits', async (missing, userAgent, words) => {
  const notice = await show(missing, userAgent);
  for (const each of words) expect(textOf(notice)).toContain(each);
});

it('gives advice for Linux on Linux only', async () => {
  expect(textOf(await show('no-adapter', CHROME_MAC))).not.toContain('Vulkan');
});

it('asks again', async () => {
  const notice = await show('no-adapter', CHROME_MAC);
  const asked = collect(notice, 'app-adapter-requested');
  button(notice, 'Ask again').click();
  expect(asked).toHaveLength(1);
});
