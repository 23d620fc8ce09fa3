/** Tables under a diagnosis, the same for a terminal and for a page. */
import { formatNumber } from '../../base/format.js';
import { say } from '../../base/said.js';
import { type SnapshotComparison, type ComparedRow } from './compare/compare-snapshots.js';
import { type NamedBlock, type SnapshotPins } from './pins/snapshot-pins.js';
import { type GrowingSite } from './growth/snapshot-growth.js';
import { showSize } from './texts/printed-size.js';

export interface ReportTable {
  readonly title: string;
  /** One sentence on how to read it; '' where the title says it. */
  readonly about: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const SHOWN = 5;

/** Pins of each device, and the frees that would have made room. */
export function pinTables(pins: readonly SnapshotPins[]): ReportTable[] {
  return pins.flatMap((pin) => {
    const where = pin.at_failure
      ? say`device ${pin.device}, at the failure, entry ${formatNumber(pin.event)}`
      : say`device ${pin.device}, at the end`;
    const tables: ReportTable[] = [];
    if (pin.worst.length > 0) {
      tables.push({
        title: say`What keeps the cache (${where})`,
        about: say`${formatNumber(pin.segments)} segments are partly in use and hold ${showSize(pin.held_free_bytes)} free`,
        header: [
          say`segment`,
          say`free`,
          say`largest hole`,
          say`live blocks`,
          say`largest block`,
          say`age`,
          say`where`,
        ],
        rows: pin.worst.slice(0, SHOWN).map((segment) => {
          const [block] = segment.blocks;
          return [
            showSize(segment.size),
            showSize(segment.free),
            showSize(segment.largest_free),
            formatNumber(segment.live_blocks),
            block === undefined ? say`waits for a stream` : showSize(block.size),
            block === undefined ? '' : showAge(block),
            block?.site ?? '',
          ];
        }),
      });
    }
    if (pin.frees !== null) {
      const { count, least, is_exact: isExact, needed, room, kind, blocks } = pin.frees;
      const bound = isExact ? say`no smaller set exists` : say`no set of fewer than ${formatNumber(least)} can`;
      const made =
        kind === 'join'
          ? say`one hole of ${showSize(room)} for ${showSize(needed)}`
          : say`room on the device, as whole segments, of ${showSize(room)} for ${showSize(needed)}`;
      tables.push({
        title:
          count === 1
            ? say`One free would have made room (${where})`
            : say`${formatNumber(count)} frees would have made room (${where})`,
        about: count === 1 ? say`it leaves ${made}; ${bound}` : say`they leave ${made}; ${bound}`,
        header: [say`size`, say`age`, say`where`],
        rows: blocks.map((block) => [showSize(block.size), showAge(block), block.site]),
      });
    }
    return tables;
  });
}

function showAge({ age_events: events, age_us: time }: NamedBlock): string {
  if (events === null) return say`older than the trace`;
  return time === null ? say`${formatNumber(events)} entries` : say`${formatNumber(time / 1e3, 1)} ms`;
}

/** Places that grow; no table where none does. */
export function growthTables(growth: readonly GrowingSite[]): ReportTable[] {
  if (growth.length === 0) return [];
  return [
    {
      title: say`Live bytes that rise from part to part of the trace`,
      about: say`approximate: a snapshot has no marks between steps, so each of eight equal parts is looked at where the program holds
          least; over one forward pass activations rise like this, too, and that is no leak`,
      header: [say`rise`, say`from`, say`to`, say`live blocks`, say`where`],
      rows: growth.map(({ rise_bytes: rise, bytes, blocks, site }) => [
        showSize(rise),
        showSize(bytes[0] ?? 0),
        showSize(bytes.at(-1) ?? 0),
        formatNumber(blocks),
        site,
      ]),
    },
  ];
}

/** File names without their folders, where these tell them apart. */
function shortNames(names: readonly string[]): readonly string[] {
  const short = names.map((name) => name.slice(name.lastIndexOf('/') + 1));
  return new Set(short).size === names.length ? short : names;
}

const CATEGORIES: Readonly<Record<string, string>> = {
  parameter: say`parameter`,
  gradient: say`gradient`,
  optimizer: say`optimizer`,
  activation: say`activation`,
  communication: say`communication`,
  unknown: say`unknown`,
};
const categoryWord = ({ category }: ComparedRow): string => CATEGORIES[category] ?? category;

/** What grew from the first snapshot to the last, by category and by place. */
export function comparisonTables({
  names: paths,
  states,
  by_category: byCategory,
  by_site: bySite,
}: SnapshotComparison): ReportTable[] {
  const names = shortNames(paths);
  const figures = (['reserved_bytes', 'allocated_bytes', 'inactive_bytes', 'largest_inactive_block'] as const).map(
    (key) => [key, ...states.map((state) => showSize(state[key]))],
  );
  const cells = (row: ComparedRow): string[] => [...row.bytes.map(showSize), showSize(row.difference_bytes)];
  return [
    { title: say`The snapshots`, about: '', header: ['', ...names], rows: figures },
    {
      title: say`Live bytes by category`,
      about: say`the category is guessed from the call stack`,
      header: [say`category`, ...names, say`difference`],
      rows: byCategory.map((row) => [categoryWord(row), ...cells(row)]),
    },
    {
      title: say`Live bytes by place in the code, what differs most first`,
      about: '',
      header: [say`where`, say`category`, ...names, say`difference`],
      rows: bySite
        .filter(({ difference_bytes: difference }) => difference > 0)
        .slice(0, 20)
        .map((row) => [row.site, categoryWord(row), ...cells(row)]),
    },
  ];
}

/** A table in lines. */
export function tableText({ title, about, header, rows }: ReportTable): string[] {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return [
    '',
    title,
    ...(about === '' ? [] : [`  ${about}`]),
    ...all.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd()),
  ];
}
