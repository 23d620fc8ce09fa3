/** Why a browser may give no hardware adapter on this machine, and what to do: facts that can be looked up from here. */
import { existsSync, readdirSync } from 'node:fs';
import process from 'node:process';

/** Where Vulkan drivers register themselves on Linux. */
const VULKAN_DRIVER_FOLDERS = ['/usr/share/vulkan/icd.d', '/etc/vulkan/icd.d', '/usr/local/share/vulkan/icd.d'];
const SOFTWARE_DRIVER = /lvp|lavapipe|swiftshader/i;

/** What a hardware adapter needs on Linux and this system does not show; empty when all is there. */
export function missingForHardware(): readonly string[] {
  return [
    ...(hasGpuNode() ? [] : ['no GPU device (/dev/dri/renderD*, /dev/nvidia0)']),
    ...(hasVulkanDriver() ? [] : [`no hardware Vulkan driver (none in ${VULKAN_DRIVER_FOLDERS.join(', ')})`]),
  ];
}

/** What is missing, as far as the system shows it, and the remedy. */
export function hardwareHints(platform: string = process.platform): string {
  if (platform !== 'linux') {
    return 'check that the GPU driver is installed and that chrome://gpu lists WebGPU as hardware accelerated; try --headed';
  }
  const missing = missingForHardware();
  const found = missing.length === 0 ? '' : `missing here: ${missing.join(' and ')}; `;
  return `${found}install the GPU's Vulkan driver (mesa-vulkan-drivers for AMD and Intel, the NVIDIA driver with its Vulkan part), give a container the GPU, or try --headed`;
}

const entries = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);

const hasGpuNode = (): boolean =>
  existsSync('/dev/nvidia0') || entries('/dev/dri').some((name) => name.startsWith('renderD'));

const hasVulkanDriver = (): boolean =>
  VULKAN_DRIVER_FOLDERS.flatMap(entries).some((name) => name.endsWith('.json') && !SOFTWARE_DRIVER.test(name));
