import { describe, expect, it } from 'vitest';
import { graphicsFlags } from './flags.js';

describe('graphicsFlags', () => {
  it('never lets a run that insists on hardware fall back to software', () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      const flags = graphicsFlags('hardware', false, platform);
      expect(flags.join(' ')).not.toMatch(/swiftshader/);
      expect(flags).toContain('--enable-unsafe-webgpu');
    }
    expect(graphicsFlags('hardware', false, 'linux')).toContain('--use-angle=vulkan');
    expect(graphicsFlags('hardware', false, 'darwin')).not.toContain('--use-angle=vulkan');
  });

  it('forces the software adapter only where it was asked for', () => {
    expect(graphicsFlags('software', false)).toContain('--use-webgpu-adapter=swiftshader');
    expect(graphicsFlags('any', false)).not.toContain('--use-webgpu-adapter=swiftshader');
  });

  it('is headless unless a window was asked for', () => {
    expect(graphicsFlags('any', false)).toContain('--headless=new');
    expect(graphicsFlags('any', true)).not.toContain('--headless=new');
  });
});
