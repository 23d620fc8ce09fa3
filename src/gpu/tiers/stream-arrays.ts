/**
 * The buffers that all rows of the suite share, whatever their size: a row uses the first bytes of a buffer that is at
 * least as large. `a` and `b` are filled once; what is written (`dst`, `sums`, `ring`) belongs to a row only while it
 * runs. Buffers of a lost device are forgotten, and what a row does not need makes room for what it needs.
 */
import { type StreamBuffer } from '../../../shaders/index.js';
import { defined } from '../../base/errors.js';
import { fillBuffer, fillPipeline } from '../fill.js';
import { type Bench, type RowContext } from '../suite.js';
import { CHUNK_BYTES } from '../verify.js';

export type ArrayRole = StreamBuffer | 'ring';
/** Bytes that a row needs of each role. */
export type ArrayNeeds = { readonly [role in ArrayRole]?: number };
/** The buffer of a role that was asked for. */
export type Arrays<Needs extends ArrayNeeds> = (role: keyof Needs & ArrayRole) => GPUBuffer;

interface Held {
  readonly bench: Bench;
  readonly buffers: Map<ArrayRole, GPUBuffer>;
}

const ROLES: readonly ArrayRole[] = ['a', 'b', 'dst', 'sums', 'ring'];
/** Beside the arrays: the check's read-back, the reference kernel, clock and uniforms. */
export const HEADROOM = CHUNK_BYTES + 8 * 2 ** 20;

const SMALL_BYTES = 16 * 2 ** 20;

export class StreamArrays {
  #held: Held | undefined;
  #peak: ArrayNeeds = {};

  constructor(readonly seeds: { readonly a: number; readonly b: number }) {}

  /** Tells what the rows to come need, so that later rounds, which come to them in any order, fill no array twice. */
  expect(needs: readonly ArrayNeeds[]): void {
    const peak = (role: ArrayRole): number => Math.max(0, ...needs.map((row) => row[role] ?? 0));
    this.#peak = Object.fromEntries(ROLES.map((role) => [role, peak(role)]));
  }

  /** Buffers of at least the sizes that are asked for, filled where they are inputs. Throws `AppError` (`out-of-memory`). */
  async acquire<Needs extends ArrayNeeds>(context: RowContext, needs: Needs): Promise<Arrays<Needs>> {
    const { bench } = context;
    const { buffers } = this.#hold(bench);
    const sizeOf = (role: ArrayRole): number => needs[role] ?? 0;
    const missing = ROLES.filter((role) => sizeOf(role) > (buffers.get(role)?.size ?? 0));
    for (const role of missing) this.#drop(role);
    const wanted = missing.reduce((sum, role) => sum + sizeOf(role), 0);
    if (bench.pool.liveBytes + wanted + HEADROOM > bench.pool.budgetBytes) {
      for (const role of ROLES) if (sizeOf(role) < (buffers.get(role)?.size ?? 0)) this.#drop(role);
    }
    const result = new Map<ArrayRole, GPUBuffer>();
    for (const role of ROLES) {
      if (sizeOf(role) === 0) continue;
      const held = buffers.get(role);
      const size = this.#sizeToHold(context, role, sizeOf(role));
      result.set(role, held ?? (await this.#create(context, role, size)));
    }
    return (role) => defined(result.get(role), `shared ${role}`);
  }

  dispose(): void {
    for (const role of ROLES) this.#drop(role);
    this.#held = undefined;
  }

  /** A run begins small, so that a first result comes soon; what is large is made as large as any row needs, where all fit. */
  #sizeToHold({ bench, history }: RowContext, role: ArrayRole, needed: number): number {
    const all = ROLES.reduce((sum, each) => sum + (this.#peak[each] ?? 0), HEADROOM);
    if ((history.round === 0 && needed <= SMALL_BYTES) || all > bench.pool.budgetBytes / 2) return needed;
    return Math.max(needed, this.#peak[role] ?? 0);
  }

  async #create({ bench, signal }: RowContext, role: ArrayRole, size: number): Promise<GPUBuffer> {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const buffer = await bench.pool.create({ label: `shared ${role}`, size, usage });
    this.#hold(bench).buffers.set(role, buffer);
    try {
      if (role === 'a' || role === 'b') {
        await fillBuffer(bench, await fillPipeline(bench.device), buffer, this.seeds[role], signal);
      }
    } catch (error) {
      // Half filled is worse than not there.
      this.#drop(role);
      throw error;
    }
    return buffer;
  }

  #drop(role: ArrayRole): void {
    const held = this.#held;
    const buffer = held?.buffers.get(role);
    if (held === undefined || buffer === undefined) return;
    held.buffers.delete(role);
    held.bench.pool.destroy(buffer);
  }

  #hold(bench: Bench): Held {
    if (this.#held?.bench !== bench) this.dispose();
    this.#held ??= { bench, buffers: new Map() };
    return this.#held;
  }
}
