/** With which flags the browser is started (facts/webgpu.md, "Running Chrome"). The report lists the ones that matter. */
import { existsSync, statfsSync } from 'node:fs';
import process from 'node:process';
import type { AdapterChoice } from '../../model/report/schema.js';
import { CHROMIUM_ARGUMENTS } from './find-browser.mjs';
import { missingForHardware } from './hardware-hints.js';

/** Keep the browser from doing anything but run our page: no first-run pages, updates, sync, throttling, dialogs. */
const QUIET_FLAGS = [
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-extensions',
  '--disable-component-extensions-with-background-pages',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-sync',
  '--disable-breakpad',
  '--disable-search-engine-choice-screen',
  '--disable-features=Translate,MediaRouter,OptimizationHints',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--metrics-recording-only',
  '--mute-audio',
  '--password-store=basic',
  '--use-mock-keychain',
];

/** A real GPU from a headless browser on Linux is reached through Vulkan; macOS and Windows need nothing. */
const LINUX_HARDWARE_FLAGS = [
  '--use-gl=angle',
  '--use-angle=vulkan',
  '--enable-features=Vulkan',
  '--disable-vulkan-surface',
];

/** Recovery experiments crash the GPU process on purpose; without these the third crash locks the page out. */
const RECOVERY_FLAGS = ['--disable-domain-blocking-for-3d-apis', '--disable-gpu-process-crash-limit'];

/** What the browser shares between its processes when large buffers are uploaded and read back. */
const SHARED_MEMORY_NEEDED = 2 ** 30;

/** Containers often give 64 MiB of shared memory, on which uploads die; files in the temporary folder are slower. */
function sharedMemoryFlags(platform: string): readonly string[] {
  if (platform !== 'linux' || !existsSync('/dev/shm')) return [];
  const { bavail, bsize } = statfsSync('/dev/shm');
  return bavail * bsize < SHARED_MEMORY_NEEDED ? ['--disable-dev-shm-usage'] : [];
}

/** The flags that bear on a figure: what is in a report. */
export function graphicsFlags(adapter: AdapterChoice, headed: boolean, platform = process.platform): readonly string[] {
  return [
    ...(headed ? [] : ['--headless=new']),
    ...CHROMIUM_ARGUMENTS,
    ...RECOVERY_FLAGS,
    ...sharedMemoryFlags(platform),
    ...adapterFlags(adapter, platform),
  ];
}

/**
 * On a machine without a GPU the Vulkan flags crash Chromium's GPU process at start (it falls back, but the page has lost
 * its adapter by then): where any adapter will do, they are given only where the system shows a GPU and its driver.
 */
function adapterFlags(adapter: AdapterChoice, platform: string): readonly string[] {
  const hardware = platform === 'linux' ? LINUX_HARDWARE_FLAGS : [];
  switch (adapter) {
    case 'software':
      return ['--enable-unsafe-swiftshader', '--use-webgpu-adapter=swiftshader'];
    case 'hardware':
      // Without --enable-unsafe-swiftshader the browser gives no adapter rather than a software one.
      return hardware;
    case 'any':
      return ['--enable-unsafe-swiftshader', ...(missingForHardware().length === 0 ? hardware : [])];
  }
}

/** The whole command line of a browser run. */
export const commandLine = (flags: readonly string[], profile: string, url: string): readonly string[] => [
  ...mergeLists([...flags, ...QUIET_FLAGS]),
  // We do not speak over this pipe. The browser ends when it closes, so it cannot outlive us even after a SIGKILL.
  '--remote-debugging-pipe',
  `--user-data-dir=${profile}`,
  url,
];

/** Of a switch that is given twice Chromium takes the last: these hold lists, which must be joined instead. */
const LIST_SWITCH = /^--((?:enable|disable)-(?:features|blink-features|dawn-features))=(.*)$/;

function mergeLists(flags: readonly string[]): readonly string[] {
  const lists = new Map<string, string>();
  const others: string[] = [];
  for (const flag of flags) {
    const [, name, list] = LIST_SWITCH.exec(flag) ?? [];
    if (name === undefined || list === undefined) others.push(flag);
    else lists.set(name, [lists.get(name), list].filter((part) => part !== undefined).join(','));
  }
  return [...others, ...[...lists].map(([name, list]) => `--${name}=${list}`)];
}
