/** Colours and sizes for canvas drawings, read from the tokens so that a theme or a larger root changes them too. */
export interface PlotTheme {
  /** CSS pixels a root font size of 16 stands for. */
  readonly scale: number;
  readonly font: string;
  readonly surface: string;
  readonly text: string;
  readonly textQuiet: string;
  readonly line: string;
  readonly lineStrong: string;
  readonly series: readonly [string, string];
}

const DESIGN_ROOT = 16;

export function readPlotTheme(element: Element): PlotTheme {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const scale = parseFloat(getComputedStyle(document.documentElement).fontSize) / DESIGN_ROOT;
  return {
    scale,
    font: `${12 * scale}px ${token('--font-sans')}`,
    surface: token('--color-surface'),
    text: token('--color-text-2'),
    textQuiet: token('--color-text-3'),
    line: token('--color-line'),
    lineStrong: token('--color-line-strong'),
    series: [token('--series-1'), token('--series-2')],
  };
}
