import { type BandwidthLines } from '../../../app/bandwidth-lines.js';
import { type PlotCursor, type SeriesName } from './bandwidth-plot.js';

const SERIES: readonly SeriesName[] = ['kernel', 'copy'];

/** Where a key moves the reader: along a line, to the other line, to an end. Undefined when the key means nothing here. */
export function moveCursor(lines: BandwidthLines, cursor: PlotCursor | undefined, key: string): PlotCursor | undefined {
  const first = SERIES.find((name) => lines[name].length > 0);
  if (first === undefined) return undefined;
  const series = cursor !== undefined && lines[cursor.series].length > 0 ? cursor.series : first;
  const points = lines[series];
  const found = points.findIndex((point) => point.workingSet === cursor?.workingSet);
  const at = (index: number): PlotCursor | undefined => {
    const point = points[Math.min(Math.max(index, 0), points.length - 1)];
    return point === undefined ? undefined : { workingSet: point.workingSet, series };
  };
  switch (key) {
    case 'ArrowRight':
      return at(found + 1);
    case 'ArrowLeft':
      return at(found < 0 ? points.length - 1 : found - 1);
    case 'Home':
      return at(0);
    case 'End':
      return at(points.length - 1);
    case 'ArrowUp':
    case 'ArrowDown':
      return otherLine(lines, series, cursor) ?? at(Math.max(found, 0));
    default:
      return undefined;
  }
}

/** The point of the other line nearest to the same working set. */
function otherLine(lines: BandwidthLines, series: SeriesName, cursor: PlotCursor | undefined): PlotCursor | undefined {
  const other: SeriesName = series === 'kernel' ? 'copy' : 'kernel';
  const x = cursor?.workingSet;
  if (x === undefined) return undefined;
  const distance = (workingSet: number) => Math.abs(Math.log2(workingSet / x));
  const [nearest] = [...lines[other]].sort((a, b) => distance(a.workingSet) - distance(b.workingSet));
  return nearest === undefined ? undefined : { workingSet: nearest.workingSet, series: other };
}
