// @ts-check
/**
 * Builds what is shipped: dist/web (the lab and the runner page), dist/cli (the program on Node), dist/model (the
 * library entry `vramlab/model`, once it is there), dist/vramlab-web.zip (the lab to carry on a stick, with a server of its
 * own). Writes dist/build.json (version and commit, which reports carry) and dist/.built, the mark that `start.mjs` compares
 * with the sources.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { build } from 'vite';
import { sourceFingerprint } from './fingerprint.mjs';
import { runStep } from './process.mjs';
import { zipFolders } from './zip.mjs';

const fingerprint = sourceFingerprint();
const { dependencies, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const external = [/^node:/, ...Object.keys(dependencies).map((name) => new RegExp(`^${name}(/|$)`))];
/** @type {import('vite').LogLevel} */
const logLevel = process.argv.includes('--quiet') ? 'warn' : 'info';

await build({ logLevel });

await build({
  logLevel,
  configFile: false,
  build: {
    ssr: true,
    outDir: 'dist/cli',
    emptyOutDir: true,
    target: 'node20',
    rolldownOptions: {
      input: { vramlab: 'src/cli/main.ts', 'whatif-worker': 'src/cli/whatif/sweep-worker.ts' },
      external,
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', banner: '#!/usr/bin/env node' },
    },
  },
});
chmodSync('dist/cli/vramlab.js', 0o755);

if (existsSync('src/model/public.ts')) {
  await build({
    logLevel,
    configFile: false,
    build: {
      lib: { entry: { public: 'src/model/public.ts' }, formats: ['es'] },
      outDir: 'dist/model',
      emptyOutDir: true,
      target: 'es2022',
      minify: false,
      rolldownOptions: { external },
    },
  });
  await runStep('types of vramlab/model', 'npx', ['tsc', '-p', 'tsconfig.lib.json']);
}

/** @returns {string | undefined} the commit, where git and its history are there */
function commit() {
  const asked = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' });
  return asked.status === 0 ? asked.stdout.trim() : undefined;
}

await build({
  logLevel,
  configFile: false,
  // It runs where nothing is installed.
  ssr: { noExternal: true },
  build: {
    ssr: 'src/cli/carried-server.ts',
    copyPublicDir: false,
    outDir: 'dist/carried',
    emptyOutDir: true,
    target: 'node20',
    rolldownOptions: { output: { entryFileNames: 'serve.mjs' } },
  },
});
zipFolders(
  'dist/vramlab-web.zip',
  { web: 'dist/web', '': 'dist/carried' },
  { 'README.txt': 'scripts/carried-readme.txt' },
);

writeFileSync('dist/build.json', `${JSON.stringify({ version, commit: commit() })}\n`);
writeFileSync('dist/.built', fingerprint);
