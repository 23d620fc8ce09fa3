/**
 * Smallest and largest of any stretch of a column in a few steps: levels of eight to one. What a pixel stands for is read
 * from it, so that no hole and no peak is lost however many operations share the pixel.
 */
const FAN = 8;

export class Pyramid {
  readonly #levels: { readonly least: Float64Array; readonly most: Float64Array }[] = [];
  least = 0;
  most = 0;

  constructor(private readonly column: Float64Array) {
    let [least, most] = [column, column];
    while (most.length > FAN) {
      const length = Math.ceil(most.length / FAN);
      const [low, high] = [new Float64Array(length), new Float64Array(length)];
      for (let i = 0; i < length; i++) {
        let [smallest, largest] = [Infinity, -Infinity];
        for (let j = i * FAN, end = Math.min(most.length, j + FAN); j < end; j++) {
          if (least[j]! < smallest) smallest = least[j]!;
          if (most[j]! > largest) largest = most[j]!;
        }
        low[i] = smallest;
        high[i] = largest;
      }
      this.#levels.push({ least: low, most: high });
      [least, most] = [low, high];
    }
  }

  /** Looks at values [from, to), at least one of them; `least` and `most` are theirs then. */
  look(from: number, to: number): void {
    this.least = Infinity;
    this.most = -Infinity;
    this.#take(this.column, this.column, from, to, 0);
  }

  #take(least: Float64Array, most: Float64Array, from: number, to: number, level: number): void {
    const next = this.#levels[level];
    if (next === undefined || to - from <= 2 * FAN) {
      this.#scan(least, most, from, to);
      return;
    }
    const first = Math.ceil(from / FAN);
    const last = Math.floor(to / FAN);
    this.#scan(least, most, from, first * FAN);
    this.#scan(least, most, last * FAN, to);
    this.#take(next.least, next.most, first, last, level + 1);
  }

  #scan(least: Float64Array, most: Float64Array, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      if (least[i]! < this.least) this.least = least[i]!;
      if (most[i]! > this.most) this.most = most[i]!;
    }
  }
}
