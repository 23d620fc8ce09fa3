/**
 * The table that `torch.cuda.memory_summary()` prints, from the statistics of `memory_stats`. Lines are 75 wide. Each
 * figure is scaled by whole division until the figure of the "all" row in its column is under 768 * 1024 of the unit
 * (counts: under 750,000), so the two pool rows carry the unit of the row above them.
 */

type Stats = Readonly<Record<string, number>>;

/** Title, key in the statistics, and what is counted. */
const POOLED = [
  ['Allocated memory', 'allocated_bytes', 'bytes'],
  ['Active memory', 'active_bytes', 'bytes'],
  ['Requested memory', 'requested_bytes', 'bytes'],
  ['GPU reserved memory', 'reserved_bytes', 'bytes'],
  ['Non-releasable memory', 'inactive_split_bytes', 'bytes'],
  ['Allocations', 'allocation', 'count'],
  ['Active allocs', 'active', 'count'],
  ['GPU reserved segments', 'segment', 'count'],
  ['Non-releasable allocs', 'inactive_split', 'count'],
] as const;
const PLAIN = [
  ['Oversize allocations', 'oversize_allocations'],
  ['Oversize GPU segments', 'oversize_segments'],
] as const;
const COLUMNS = ['current', 'peak', 'allocated', 'freed'] as const;

const WIDTH = 75;
const THICK = '='.repeat(WIDTH);
const THIN = '-'.repeat(WIDTH);

/** The text of `memory_summary()`, from flat statistics (`allocated_bytes.all.current`, ...) of one device. */
export function memorySummary(stats: Stats, device = 0): string {
  const ooms = String(stats['num_ooms'] ?? 0).padEnd(12);
  const retries = String(stats['num_alloc_retries'] ?? 0).padEnd(8);
  const lines = [
    THICK,
    `                  PyTorch CUDA memory summary, device ID ${String(device).padEnd(18)}`,
    THIN,
    `            CUDA OOMs: ${ooms} |        cudaMalloc retries: ${retries}  `,
    THICK,
    '        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  ',
  ];
  for (const [title, key, kind] of POOLED) {
    const all = figures(stats, `${key}.all`);
    const format = kind === 'bytes' ? formatSize : formatCount;
    lines.push(
      THIN,
      row(` ${title}`, all, all, format),
      row('       from large pool', figures(stats, `${key}.large_pool`), all, format),
      row('       from small pool', figures(stats, `${key}.small_pool`), all, format),
    );
  }
  for (const [title, key] of PLAIN) {
    const all = figures(stats, key);
    lines.push(THIN, row(` ${title}`, all, all, formatCount));
  }
  lines.push(THICK);
  return `|${lines.join('|\n|')}|\n`;
}

const figures = (stats: Stats, key: string): number[] => COLUMNS.map((column) => stats[`${key}.${column}`] ?? 0);

type Format = (value: number, scaleBy: number) => string;

function row(title: string, values: readonly number[], all: readonly number[], format: Format): string {
  const cells = values.map((value, column) => format(value, all[column] ?? 0));
  return [title.padEnd(23), ...cells.map((cell) => ` ${cell} `)].join('|');
}

const SIZE_UNITS = ['B  ', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;
const COUNT_UNITS = [' ', 'K', 'M'] as const;

function formatSize(size: number, scaleBy: number): string {
  const [scaled, unit] = scale(size, scaleBy, 1024, 768 * 1024, SIZE_UNITS);
  return `${String(scaled).padStart(6)} ${unit}`;
}

function formatCount(count: number, scaleBy: number): string {
  const [scaled, unit] = scale(count, scaleBy, 1000, 750 * 1000, COUNT_UNITS);
  return `${String(scaled).padStart(7)} ${unit} `;
}

function scale(
  value: number,
  scaleBy: number,
  step: number,
  limit: number,
  units: readonly string[],
): readonly [number, string] {
  let scaled = value;
  let measure = scaleBy;
  let unit = 0;
  while (unit < units.length - 1 && measure >= limit) {
    scaled = Math.floor(scaled / step);
    measure /= step;
    unit++;
  }
  return [scaled, units[unit] ?? ''];
}
