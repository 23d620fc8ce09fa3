/**
 * A pool in the order of streams, as cudaMallocAsync has one (CUDA's documentation of stream-ordered allocation):
 * memory freed on a stream is reusable on that stream at once and on others after they have been synchronised; at a
 * synchronisation whatever the pool holds over its release threshold goes back to the device; a request that does not
 * fit gives the unused memory back first. TensorFlow's `cuda_malloc_async` and XLA's `cuda_async` sit on it.
 *
 * The driver does not say how it cuts its memory: best fit, 512 bytes of alignment and segments of at least 32 MiB are
 * assumptions, shown as settings.
 */
import { type DeviceMemory } from '../../memory/device-memory.js';
import { type AllocatorControls } from '../allocator.js';
import { type Block, BlockAllocator } from '../block-allocator.js';

export interface StreamPoolOptions {
  /** Bytes the pool keeps at a synchronisation; 0 gives everything unused back, the driver's default. */
  readonly releaseThreshold: number;
  /** Bytes of the smallest segment. */
  readonly segmentSize: number;
}

const ALIGNMENT = 512;
const DEFAULT_SEGMENT = 32 * 2 ** 20;
const FREE = -1;

interface Piece {
  address: number;
  size: number;
  requested: number;
  /** Stream it was allocated on last. */
  stream: number;
  state: 'used' | 'waiting' | 'free';
  previous: Piece | undefined;
  next: Piece | undefined;
}

interface StreamBlock extends Block {
  readonly piece: Piece;
}

export class StreamPoolAllocator extends BlockAllocator<StreamBlock> {
  readonly name = 'stream-ordered';
  readonly controls: AllocatorControls = { synchronize: (stream) => this.#synchronize(stream) };
  readonly #threshold: number;
  readonly #segmentSize: number;
  /** Pieces that are not in use, in no order. */
  readonly #idle = new Set<Piece>();

  constructor(memory: DeviceMemory, options: Partial<StreamPoolOptions> = {}) {
    super(memory);
    this.#threshold = options.releaseThreshold ?? 0;
    this.#segmentSize = options.segmentSize ?? DEFAULT_SEGMENT;
  }

  protected place(requested: number, stream: number): StreamBlock | undefined {
    const size = Math.ceil(requested / ALIGNMENT) * ALIGNMENT;
    let piece = this.#bestFit(size, stream) ?? this.#grow(size);
    if (piece === undefined) {
      this.#trim(0);
      piece = this.#grow(size);
    }
    if (piece === undefined) return undefined;
    this.#idle.delete(piece);
    if (piece.size > size) this.#split(piece, size);
    piece.state = 'used';
    piece.stream = stream;
    piece.requested = requested;
    return { address: piece.address, size, requested, piece };
  }

  #bestFit(size: number, stream: number): Piece | undefined {
    let best: Piece | undefined;
    for (const piece of this.#idle) {
      if (piece.size < size || (piece.state === 'waiting' && piece.stream !== stream)) continue;
      if (best === undefined || piece.size < best.size || (piece.size === best.size && piece.address < best.address)) {
        best = piece;
      }
    }
    return best;
  }

  #grow(size: number): Piece | undefined {
    const segment =
      this.takeSegment(Math.max(size, this.#segmentSize), ALIGNMENT) ??
      (size < this.#segmentSize ? this.takeSegment(size, ALIGNMENT) : undefined);
    return (
      segment && {
        address: segment.address,
        size: segment.received,
        requested: 0,
        stream: FREE,
        state: 'free',
        previous: undefined,
        next: undefined,
      }
    );
  }

  #split(piece: Piece, size: number): void {
    const rest: Piece = {
      ...piece,
      address: piece.address + size,
      size: piece.size - size,
      previous: piece,
      next: piece.next,
    };
    if (piece.next !== undefined) piece.next.previous = rest;
    piece.next = rest;
    piece.size = size;
    this.#idle.add(rest);
  }

  protected giveBack({ piece }: StreamBlock): void {
    piece.state = 'waiting';
    this.#idle.add(piece);
    this.#join(piece);
  }

  /** Joins an idle piece with idle neighbours that wait for the same thing. */
  #join(piece: Piece): void {
    const { previous, next } = piece;
    if (next !== undefined && this.#joins(piece, next)) this.#absorb(piece, next);
    if (previous !== undefined && this.#joins(previous, piece)) this.#absorb(previous, piece);
  }

  #joins(left: Piece, right: Piece): boolean {
    return (
      left.state !== 'used' && left.state === right.state && (left.state === 'free' || left.stream === right.stream)
    );
  }

  #absorb(left: Piece, right: Piece): void {
    this.#idle.delete(right);
    left.size += right.size;
    left.next = right.next;
    if (right.next !== undefined) right.next.previous = left;
  }

  #synchronize(stream: number | undefined): void {
    const all = stream === undefined || stream < 0;
    for (const piece of [...this.#idle]) {
      if (piece.state === 'waiting' && (all || piece.stream === stream)) piece.state = 'free';
    }
    for (const piece of [...this.#idle]) if (this.#idle.has(piece)) this.#join(piece);
    this.#trim(this.#threshold);
  }

  /** Gives unused segments back until the pool holds no more than `keep` bytes (cudaMemPoolTrimTo). */
  #trim(keep: number): void {
    const whole = [...this.#idle].filter((piece) => piece.previous === undefined && piece.next === undefined);
    whole.sort((a, b) => b.size - a.size || a.address - b.address);
    for (const piece of whole) {
      if (this.totals.reserved <= keep) return;
      this.#idle.delete(piece);
      this.dropSegment(piece.address);
    }
  }

  /** Waits for all streams, then trims to nothing. */
  override flush(): void {
    this.#synchronize(-1);
    this.#trim(0);
  }

  /** Freed memory of a stream that is not synchronised yet. Reusable on that stream, so it counts as free there. */
  protected override pending(): Iterable<Piece> {
    return [...this.#idle].filter((piece) => piece.state === 'waiting');
  }
}
