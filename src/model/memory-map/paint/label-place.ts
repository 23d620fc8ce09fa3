/** Where words go on a picture that has words already: a text that half covers another can be read no better than that one. */
import { FONT_PIXELS, type Label, type Measure } from './picture.js';

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Around a plate, in pixels of the design: at its sides, and above and below its line. */
const PLATE_SIDE = 4;
const PLATE_EDGE = 2;

/** The pixels that a label covers, its plate included. */
export function boxOf({ text, x, y, weight, align, plate }: Label, measure: Measure, scale: number): Box {
  const width = measure(text, weight);
  const left = align === 'start' ? x : align === 'end' ? x - width : x - width / 2;
  const side = plate === undefined ? 0 : PLATE_SIDE * scale;
  const half = (FONT_PIXELS / 2 + (plate === undefined ? 0 : PLATE_EDGE)) * scale;
  return { left: left - side, right: left + width + side, top: y - half, bottom: y + half };
}

export const covers = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/**
 * The label at the place nearest to its own that covers none of `taken`: moved along its line, or onto one of the other
 * lines (`lines` are their middles, the first one its own), always within `width`. As it is where no line has room.
 */
export function placed(
  label: Label,
  {
    lines,
    taken,
    width,
  }: { readonly lines: readonly number[]; readonly taken: readonly Label[]; readonly width: number },
  measure: Measure,
  scale: number,
): Label {
  const own = boxOf(label, measure, scale);
  const wide = own.right - own.left;
  let best: { readonly moved: number; readonly y: number; readonly far: number } | undefined;
  for (const y of lines) {
    const onLine = { ...own, top: own.top + y - label.y, bottom: own.bottom + y - label.y };
    const blocks = taken
      .map((other) => boxOf(other, measure, scale))
      .filter((box) => box.top < onLine.bottom && onLine.top < box.bottom);
    const starts = [own.left, ...blocks.flatMap(({ left, right }) => [left - wide, right])];
    for (const left of starts) {
      const box = { ...onLine, left, right: left + wide };
      if (left !== own.left && (left < 0 || box.right > width)) continue;
      if (blocks.some((other) => covers(box, other))) continue;
      const moved = left - own.left;
      const far = Math.abs(moved) + Math.abs(y - label.y);
      if (best === undefined || far < best.far) best = { moved, y, far };
    }
  }
  return best === undefined ? label : { ...label, x: label.x + best.moved, y: best.y };
}
