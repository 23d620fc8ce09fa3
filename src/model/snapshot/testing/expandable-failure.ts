/**
 * The shape of a real failure under expandable segments on an 80 GB card: 23 holes of 139,390,976 bytes lie between live
 * blocks when the request fails; then the exception unwinds, its tensors go, and the dump shows a hole of 27 GB.
 *
 *     at the failure   |AA|.|AA|.|BB|.|BB|.|AA|      . one of 23 holes
 *     in the dump      |AA|.|AA|...........|AA|      B freed by the unwinding
 */
import { pythonPickle } from './python-pickle.js';

const BASE = 0x7f00_0000_0000;
const UNIT = 512;
const SMALL = 2 * 2 ** 20;

/** What the file has to say of the failure. */
export const EXPANDABLE_FAILURE = {
  tried_bytes: 5_308_694_528,
  device_free_bytes: 95_682_560,
  reserved_bytes: 84_202_749_952,
  allocated_bytes: 84_063_358_976,
  inactive_bytes: 139_390_976,
  inactive_blocks: 23,
  largest_inactive_block: 17_313_792,
} as const;
/** The largest free block of the final dump. */
export const UNWOUND_HOLE = 27_493_662_720;

const TENSORS = 24;
/** Tensors that the unwinding frees, and with them the holes before, between and behind. */
const FREED_FROM = 8;
const FREED_TO = 16;

interface Piece {
  readonly address: number;
  readonly size: number;
  readonly tensor: number | undefined;
}

/** The pickle. */
export function expandableFailure(): Uint8Array {
  const large = EXPANDABLE_FAILURE.reserved_bytes - SMALL;
  const pieces = layOut();
  const isFreed = ({ tensor }: Piece): boolean => tensor !== undefined && tensor >= FREED_FROM && tensor < FREED_TO;
  const freed = pieces.filter(isFreed);
  const small = BASE + 2 ** 40;
  return pythonPickle(
    {
      segments: [
        segment(BASE, large, 'large', merged(pieces, isFreed)),
        segment(small, SMALL, 'small', [
          { address: small, size: SMALL / 2, tensor: TENSORS },
          { address: small + SMALL / 2, size: SMALL / 2, tensor: TENSORS + 1 },
        ]),
      ],
      device_traces: [
        [
          {
            action: 'oom',
            device_free: EXPANDABLE_FAILURE.device_free_bytes,
            size: EXPANDABLE_FAILURE.tried_bytes,
            stream: 0,
          },
          ...freed.flatMap(({ address, size }) =>
            ['free_requested', 'free_completed'].map((action) => ({
              action,
              addr: address,
              size: size - 7,
              stream: 0,
            })),
          ),
        ],
      ],
      allocator_settings: { PYTORCH_CUDA_ALLOC_CONF: 'expandable_segments:True', expandable_segments: true },
    },
    4,
  );
}

/** Tensors and holes in turn, of the sizes that give the figures. */
function layOut(): Piece[] {
  const { inactive_bytes: free, largest_inactive_block: largest, allocated_bytes: live } = EXPANDABLE_FAILURE;
  const holes = [largest, ...shares(free - largest, TENSORS - 2)];
  const unwound = holes.slice(FREED_FROM - 1, FREED_TO).reduce((sum, size) => sum + size, 0);
  const gone = shares(UNWOUND_HOLE - unwound, FREED_TO - FREED_FROM);
  const stays = shares(live - SMALL - (UNWOUND_HOLE - unwound), TENSORS - gone.length);
  const pieces: Piece[] = [];
  let at = BASE;
  const add = (size: number, tensor?: number): void => {
    pieces.push({ address: at, size, tensor });
    at += size;
  };
  for (let tensor = 0; tensor < TENSORS; tensor++) {
    const isGone = tensor >= FREED_FROM && tensor < FREED_TO;
    add((isGone ? gone.pop() : stays.pop()) ?? 0, tensor);
    const hole = holes[tensor];
    if (hole !== undefined) add(hole);
  }
  return pieces;
}

/** `bytes` in so many parts of whole units; the last takes what is left. */
function shares(bytes: number, count: number): number[] {
  const part = UNIT * Math.floor(bytes / UNIT / count);
  return [...new Array<number>(count - 1).fill(part), bytes - (count - 1) * part];
}

/** As the allocator leaves them: free neighbours are one block. */
function merged(pieces: readonly Piece[], isFreed: (piece: Piece) => boolean): Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    const isFree = piece.tensor === undefined || isFreed(piece);
    if (isFree && last !== undefined && last.tensor === undefined) {
      result[result.length - 1] = { address: last.address, size: last.size + piece.size, tensor: undefined };
    } else result.push(isFree ? { ...piece, tensor: undefined } : piece);
  }
  return result;
}

const segment = (address: number, size: number, type: string, blocks: readonly Piece[]): Record<string, unknown> => ({
  device: 0,
  address,
  total_size: size,
  stream: 0,
  segment_type: type,
  is_expandable: true,
  frames: [],
  blocks: blocks.map((block) => ({
    address: block.address,
    size: block.size,
    requested_size: block.size,
    frames: [],
    state: block.tensor === undefined ? 'inactive' : 'active_allocated',
  })),
});
