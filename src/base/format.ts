/**
 * How numbers look on a screen, in a table, in a log. One formatter on `Intl.NumberFormat`: memory in KiB/MiB/GiB with
 * one decimal, bandwidth in decimal GB/s, a real minus sign, thousands with a comma (English).
 */
const cache = new Map<string, Intl.NumberFormat>();

function formatter(locale: string, minimum: number, maximum: number): Intl.NumberFormat {
  const key = `${locale}/${minimum}/${maximum}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat(locale, {
    minimumFractionDigits: minimum,
    maximumFractionDigits: maximum,
    signDisplay: 'negative', // a rounded zero has no sign
  });
  cache.set(key, made);
  return made;
}

/** A number with a fixed count of decimals. */
export const formatNumber = (value: number, decimals = 0, locale = 'en'): string =>
  formatter(locale, decimals, decimals).format(value).replace('-', '\u2212');

/** At least three significant digits without an exponent: 1,234, 123, 12.3, 1.23, 0.012. */
export function formatSignificant(value: number, locale = 'en'): string {
  const magnitude = Math.abs(value);
  if (magnitude >= 100) return formatNumber(value, 0, locale);
  if (magnitude >= 10) return formatNumber(value, 1, locale);
  if (magnitude >= 1) return formatNumber(value, 2, locale);
  return formatter(locale, 0, 4).format(value).replace('-', '\u2212');
}

/** `1.5 GiB`, `992 MiB`, `512 B`: one decimal unless it is whole. */
export function formatBytes(size: number, locale = 'en'): string {
  const magnitude = Math.abs(size);
  for (const [name, factor] of [
    ['GiB', 2 ** 30],
    ['MiB', 2 ** 20],
    ['KiB', 2 ** 10],
  ] as const) {
    if (magnitude >= factor) {
      return `${formatNumber(size / factor, size % factor === 0 ? 0 : 1, locale)} ${name}`;
    }
  }
  return `${formatNumber(size, 0, locale)} B`;
}

/** A duration in the unit that reads best: ns, us, ms, s, min. */
export function formatDuration(ns: number, locale = 'en'): string {
  if (ns < 1e3) return `${formatSignificant(ns, locale)} ns`;
  if (ns < 1e6) return `${formatSignificant(ns / 1e3, locale)} \u00b5s`;
  if (ns < 1e9) return `${formatSignificant(ns / 1e6, locale)} ms`;
  if (ns < 60e9) return `${formatNumber(ns / 1e9, 1, locale)} s`;
  const seconds = Math.round(ns / 1e9);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
