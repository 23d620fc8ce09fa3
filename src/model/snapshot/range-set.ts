/** Half-open ranges of addresses that do not touch: adding joins, removing splits. For the mapped pages of a device. */
export interface AddressRange {
  readonly start: number;
  readonly end: number;
}

export class RangeSet {
  #ranges: AddressRange[] = [];

  get ranges(): readonly AddressRange[] {
    return this.#ranges;
  }

  add(start: number, end: number): void {
    const first = this.#ranges.findIndex((range) => range.end >= start);
    if (first === -1) {
      this.#ranges.push({ start, end });
      return;
    }
    let last = first;
    while (last < this.#ranges.length && this.#ranges[last]!.start <= end) last++;
    const joined = this.#ranges.slice(first, last);
    this.#ranges.splice(first, last - first, {
      start: Math.min(start, ...joined.map((range) => range.start)),
      end: Math.max(end, ...joined.map((range) => range.end)),
    });
  }

  remove(start: number, end: number): void {
    this.#ranges = this.#ranges.flatMap((range) => {
      if (range.end <= start || range.start >= end) return [range];
      return [
        ...(range.start < start ? [{ start: range.start, end: start }] : []),
        ...(range.end > end ? [{ start: end, end: range.end }] : []),
      ];
    });
  }
}
