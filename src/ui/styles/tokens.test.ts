import './tokens.css';
import { afterEach, describe, expect, it } from 'vitest';
import { DARK_TOKENS, LIGHT_TOKENS } from '../../model/report/html-style.js';

/** Text needs 4.5 : 1 on what it stands on, an edge that says where a control is 3 : 1 (WCAG 1.4.3, 1.4.11). */
const TEXT = 4.5;
const EDGE = 3;
const SURFACES = ['--color-surface', '--color-surface-low', '--color-surface-high'];
const PAIRS: readonly (readonly [front: string, back: string, least: number])[] = [
  ...['--color-text', '--color-text-2', '--color-text-3'].flatMap((text) =>
    SURFACES.map((surface) => [text, surface, TEXT] as const),
  ),
  ...['--color-ok', '--color-warn', '--color-bad'].flatMap((text) =>
    ['--color-surface', '--color-surface-low', `${text}-soft`].map((surface) => [text, surface, TEXT] as const),
  ),
  ['--color-on-ink', '--color-ink', TEXT],
  ['--color-on-ink', '--color-ink-hover', TEXT],
  ['--series-1', '--color-surface', TEXT],
  ['--series-2', '--color-surface', TEXT],
  ...['--color-line-strong', '--color-focus', '--color-bad-mark'].flatMap((edge) =>
    ['--color-surface', '--color-surface-low'].map((surface) => [edge, surface, EDGE] as const),
  ),
];

function luminance(token: string): number {
  const hex = getComputedStyle(document.documentElement).getPropertyValue(token).trim();
  expect(hex, token).toMatch(/^#[0-9a-f]{6}$|^#[0-9a-f]{3}$/);
  const long = hex.length === 4 ? hex.replace(/[0-9a-f]/g, '$&$&') : hex;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = parseInt(long.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(front: string, back: string): number {
  const [high = 0, low = 0] = [luminance(front), luminance(back)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

describe.each(['light', 'dark'])('the %s theme', (theme) => {
  afterEach(() => {
    delete document.documentElement.dataset['theme'];
  });

  it.each(PAIRS)('has %s on %s at %d : 1 or more', (front, back, least) => {
    document.documentElement.dataset['theme'] = theme;
    expect(contrast(front, back)).toBeGreaterThanOrEqual(least);
  });
});

describe('the looks of the HTML report and of the PNG', () => {
  afterEach(() => {
    delete document.documentElement.dataset['theme'];
  });

  it.each([
    ['light', LIGHT_TOKENS],
    ['dark', DARK_TOKENS],
  ])('are those of the %s theme', (theme, tokens) => {
    document.documentElement.dataset['theme'] = theme;
    const style = getComputedStyle(document.documentElement);
    const pairs = tokens.split(';').map((pair) => pair.split(':'));
    expect(pairs.length).toBeGreaterThan(10);
    expect(Object.fromEntries(pairs)).toEqual(
      Object.fromEntries(pairs.map(([name = '']) => [name, style.getPropertyValue(name).trim()])),
    );
  });
});
