import { type FigureLine, type LineCursor } from '../../../model/report/charts/line-chart.js';

/**
 * Where a key leads from the point that is looked at: along its line, to the other line, to its ends. Undefined for keys
 * that mean nothing here, and where there is no point.
 */
export function moveCursor(
  lines: readonly FigureLine[],
  cursor: LineCursor | undefined,
  key: string,
): LineCursor | undefined {
  const line = lines.find(({ series }) => series === cursor?.series) ?? lines[0];
  if (line === undefined) return undefined;
  const { points, series } = line;
  const found = points.findIndex((point) => point.workingSet === cursor?.workingSet);
  const at = (index: number): LineCursor | undefined => {
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
      return otherLine(lines, line, cursor) ?? at(Math.max(found, 0));
    default:
      return undefined;
  }
}

/** The point of the other line nearest to the same working set. */
function otherLine(
  lines: readonly FigureLine[],
  line: FigureLine,
  cursor: LineCursor | undefined,
): LineCursor | undefined {
  const other = lines.find((each) => each !== line);
  const x = cursor?.workingSet;
  if (x === undefined || other === undefined) return undefined;
  const distance = (workingSet: number) => Math.abs(Math.log2(workingSet / x));
  const [nearest] = [...other.points].sort((a, b) => distance(a.workingSet) - distance(b.workingSet));
  return nearest === undefined ? undefined : { workingSet: nearest.workingSet, series: other.series };
}
