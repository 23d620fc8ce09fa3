/** A canvas that is painted as pixels with words on top. The pixels are kept from one drawing to the next. */
import { defined } from '../../base/errors.js';
import { FONT_PIXELS, type Label, type Measure, type PictureFrame } from '../../model/memory-map/paint/picture.js';
import { Pixels } from '../../model/memory-map/paint/pixels.js';

/** Texts whose width is remembered: labels of one picture and a few more. */
const KNOWN_WIDTHS = 4000;

export class PictureCanvas {
  readonly #context: OffscreenCanvasRenderingContext2D;
  #pixels: Pixels | undefined;
  #scale = 0;
  #image: ImageData | undefined;
  #font = '';
  readonly #widths = new Map<string, number>();

  constructor(readonly canvas: OffscreenCanvas) {
    this.#context = defined(canvas.getContext('2d', { alpha: false }), 'a 2d context');
  }

  draw(frame: PictureFrame, font: string, paint: (pixels: Pixels, measure: Measure) => readonly Label[]): void {
    const { width, height, scale } = frame;
    if (width < 1 || height < 1) return;
    if (this.#pixels?.width !== width || this.#pixels.height !== height || this.#scale !== scale) {
      this.canvas.width = width;
      this.canvas.height = height;
      this.#pixels = new Pixels(width, height, scale);
      this.#image = new ImageData(this.#pixels.bytes, width, height);
      this.#scale = scale;
    }
    const face = `${Math.round(FONT_PIXELS * scale)}px ${font}`;
    if (face !== this.#font) this.#widths.clear();
    this.#font = face;
    const labels = paint(this.#pixels, this.#measure);
    this.#context.putImageData(defined(this.#image, 'image'), 0, 0);
    this.#context.textBaseline = 'middle';
    for (const label of labels) this.#write(label, scale);
  }

  readonly #measure: Measure = (text, weight) => {
    const key = `${weight}${text}`;
    const known = this.#widths.get(key);
    if (known !== undefined) return known;
    if (this.#widths.size >= KNOWN_WIDTHS) this.#widths.clear();
    this.#context.font = `${weight} ${this.#font}`;
    const { width } = this.#context.measureText(text);
    this.#widths.set(key, width);
    return width;
  };

  #write({ text, x, y, colour, weight, align, plate }: Label, scale: number): void {
    const context = this.#context;
    const width = this.#measure(text, weight);
    const left = align === 'start' ? x : align === 'end' ? x - width : x - width / 2;
    if (plate !== undefined) {
      const height = (FONT_PIXELS + 4) * scale;
      context.fillStyle = plate;
      context.fillRect(left - 4 * scale, y - height / 2, width + 8 * scale, height);
    }
    context.font = `${weight} ${this.#font}`;
    context.fillStyle = colour;
    context.fillText(text, left, y);
  }
}
