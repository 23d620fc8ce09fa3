import js from '@eslint/js';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import { importX } from 'eslint-plugin-import-x';
import { configs as lit } from 'eslint-plugin-lit';
import { configs as wc } from 'eslint-plugin-wc';
import tseslint from 'typescript-eslint';

/** Which room may not import from which others (DESIGN section 2). Types of `engine/protocol` may cross. */
const LAYERS = {
  './src/base': [
    './src/model',
    './src/gpu',
    './src/engine',
    './src/app',
    './src/ui',
    './src/cli',
    './shaders',
    './workers',
  ],
  './src/model': ['./src/gpu', './src/engine', './src/app', './src/ui', './src/cli', './shaders', './workers'],
  './src/gpu': ['./src/app', './src/ui', './src/cli', './workers'],
  './src/engine': ['./src/gpu', './src/app', './src/ui', './src/cli', './shaders'],
  './src/app': ['./src/gpu', './src/ui', './src/cli', './shaders', './workers'],
  './src/ui': ['./src/gpu', './src/cli', './shaders', './workers'],
  './src/cli': ['./src/gpu', './src/app', './src/ui', './shaders', './workers'],
  './shaders': ['./src/gpu', './src/engine', './src/app', './src/ui', './src/cli', './workers'],
  './workers': ['./src/app', './src/ui', './src/cli'],
};
const zones = [
  ...Object.entries(LAYERS).map(([target, from]) => ({ target, from })),
  { target: './src/cli', from: './src/engine', except: ['./protocol.ts'] },
];

const NO_DOM = [
  'document',
  'window',
  'navigator',
  'localStorage',
  'sessionStorage',
  'indexedDB',
  'location',
  'history',
];
const NO_CLOCK = ['performance', 'setTimeout', 'setInterval', 'requestAnimationFrame'];
const NO_NODE = ['process', 'Buffer', '__dirname'];
/** @param {string[]} names @param {string} message @returns {['error', ...{ name: string, message: string }[]]} */
const only = (names, message) => ['error', ...names.map((name) => ({ name, message }))];

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'test-results/', 'playwright-report/', 'test-data/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, importX.flatConfigs.typescript],
    plugins: { 'import-x': importX },
    languageOptions: { parserOptions: { project: ['./tsconfig.json', './tsconfig.node.json'] } },
    settings: {
      'import-x/resolver-next': [createTypeScriptImportResolver({ project: ['tsconfig.json', 'tsconfig.node.json'] })],
    },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'no-undef': 'off',
      'no-console': 'error',
      'no-empty': ['error', { allowEmptyCatch: false }],
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'import-x/no-restricted-paths': ['error', { zones }],
    },
  },
  {
    files: ['src/base/**/*.ts', 'src/model/**/*.ts'],
    ignores: ['**/*.test.ts', '**/testing/**'],
    rules: {
      'no-restricted-globals': only(
        [...NO_DOM, ...NO_CLOCK, ...NO_NODE],
        'base and model are pure: no DOM, no GPU, no Node, no clock',
      ),
    },
  },
  {
    files: ['src/engine/**/*.ts', 'src/gpu/**/*.ts', 'shaders/**/*.ts', 'workers/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-globals': only(['document', 'window', ...NO_NODE], 'the DOM belongs to src/ui and src/app'),
    },
  },
  {
    files: ['src/**/*.ts', 'workers/**/*.ts', 'shaders/**/*.ts'],
    ignores: ['src/cli/**', '**/*.node.test.ts', '**/testing/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^node:', message: 'Node built-ins belong to src/cli' }] },
      ],
    },
  },
  {
    // WGSL enters through one door.
    files: ['src/**/*.ts', 'workers/**/*.ts'],
    ignores: ['src/cli/**', '**/*.node.test.ts', '**/testing/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '^node:', message: 'Node built-ins belong to src/cli' },
            { regex: '\\.wgsl', message: 'WGSL is imported only in shaders/index.ts' },
          ],
        },
      ],
    },
  },
  {
    // Hot loops over typed arrays: a checked read would cost more than the read (docs/STYLE.md section 3).
    files: ['src/model/{allocator,memory,memory-map,trace,snapshot,workload}/**/*.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  { files: ['src/ui/**/*.ts'], extends: [lit['flat/recommended'], wc['flat/recommended']] },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
    rules: { 'no-console': 'off' },
  },
);
