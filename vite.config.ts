import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { playwright } from '@vitest/browser-playwright';
import { configDefaults } from 'vitest/config';
import { CHROMIUM_ARGUMENTS, findBrowser } from './src/cli/browser/find-browser.mjs';
import { browserProcesses } from './src/cli/browser/process-memory.js';

/** COOP and COEP make the page cross-origin isolated: performance.now() then steps 5 us instead of 100. */
const ISOLATION = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
const NODE_TESTS = ['src/{base,model,gpu,app,engine,cli}/**/*.test.ts', 'shaders/**/*.test.ts', 'scripts/**/*.test.ts'];
const GPU_TESTS = ['**/*.gpu.test.ts'];

const browser = () => {
  const found = findBrowser(process.env['VRAMLAB_BROWSER']);
  return {
    enabled: true,
    headless: true,
    screenshotFailures: false,
    provider: playwright({
      launchOptions: {
        ...(found === undefined ? {} : { executablePath: found.path }),
        args: [...CHROMIUM_ARGUMENTS, '--use-webgpu-adapter=swiftshader'],
      },
    }),
    instances: [{ browser: 'chromium' as const }],
    /** Resident bytes of the GPU process of the tests' own browser; 0 where the system does not tell. */
    commands: { gpuProcessBytes: () => browserProcesses(process.pid)?.gpuBytes ?? 0 },
  };
};

export default defineConfig({
  base: './',
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2022',
    rolldownOptions: {
      input: { main: 'index.html', runner: 'runner.html' },
      // Loading one of these does nothing by itself, so what a page only names the types of is not fetched for it. Where the
      // page fetches the same file later, `import type` keeps the file out of what it starts with; `import { type }` does not.
      treeshake: {
        moduleSideEffects: [
          { test: /\/src\/(?:base|model|engine|app)\//, sideEffects: false },
          { test: /./, sideEffects: true },
        ],
      },
      // How long plugins took is no news for a person who builds; on a busy machine it would be printed each time.
      checks: { bundlerTimings: false },
    },
  },
  worker: { format: 'es' },
  plugins: [
    VitePWA({
      // The person decides when: a reload would end a run.
      registerType: 'prompt',
      injectRegister: false,
      // public/app.webmanifest: the runner page needs none.
      manifest: false,
      workbox: {
        // All there is: pages, workers, suites and shaders are fetched when they are first used, which may be offline.
        globPatterns: ['**/*.{js,css,html,svg,png,json,webmanifest,woff2,wasm,txt}'],
        globIgnores: ['runner.html'],
        maximumFileSizeToCacheInBytes: 16 * 2 ** 20,
        navigateFallback: null,
        cleanupOutdatedCaches: true,
        // The first visit is served from the cache too, as soon as it is filled.
        clientsClaim: true,
        skipWaiting: false,
        sourcemap: false,
      },
    }),
  ],
  // Found late, it would reload a test that runs.
  optimizeDeps: { include: ['idb', 'axe-core'] },
  server: { headers: ISOLATION },
  preview: { headers: ISOLATION },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: NODE_TESTS,
          exclude: [...configDefaults.exclude, ...GPU_TESTS],
          environment: 'node',
          setupFiles: ['scripts/fixed-seed.mjs'],
          // Property tests take seconds where other work shares the machine; a slow test is no wrong one.
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'gpu',
          include: GPU_TESTS,
          exclude: [...configDefaults.exclude, 'dist/**'],
          browser: browser(),
          testTimeout: 120_000,
          // Times on a shared machine: what fails twice in a row is no neighbour.
          retry: 1,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'element',
          include: ['src/ui/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...GPU_TESTS],
          browser: browser(),
        },
      },
    ],
  },
});
