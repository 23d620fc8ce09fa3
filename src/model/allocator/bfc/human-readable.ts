/** Sizes as TensorFlow's log writes them: `nB` under 1,024, one decimal for KiB, two above, halves to even as in C. */
const UNITS = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

export function humanReadableBytes(size: number): string {
  const sign = size < 0 ? '-' : '';
  let value = Math.abs(size);
  if (value < 1024) return `${sign}${value}B`;
  let unit = 0;
  while (value >= 1024 * 1024) {
    value = Math.floor(value / 1024); // an integer division, as there
    unit++;
  }
  return `${sign}${fixed(value, unit === 0 ? 1 : 2)}${UNITS[unit] ?? ''}`;
}

/** value / 1024 with `decimals` decimals. Computed on integers: toFixed rounds halves up, printf to even. */
function fixed(value: number, decimals: number): string {
  const scale = 10 ** decimals;
  const scaled = value * scale;
  let quotient = Math.floor(scaled / 1024);
  const rest = scaled % 1024;
  if (rest > 512 || (rest === 512 && quotient % 2 === 1)) quotient++;
  return `${Math.floor(quotient / scale)}.${String(quotient % scale).padStart(decimals, '0')}`;
}
