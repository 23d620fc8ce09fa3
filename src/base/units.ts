/**
 * Quantities with a unit that the compiler keeps apart. Arithmetic decays a quantity to `number`; come back through a
 * constructor. Memory is counted in bytes, time in nanoseconds, bandwidth in decimal GB/s.
 *
 *     const rate = throughput(MiB(64), nanoseconds(1e6)); // 67.1 GB/s
 */
declare const unit: unique symbol;
type Quantity<U extends string> = number & { readonly [unit]: U };

export type Bytes = Quantity<'B'>;
export type Nanoseconds = Quantity<'ns'>;
/** Decimal: 1e9 bytes per second. */
export type GBps = Quantity<'GB/s'>;

export const bytes = (n: number): Bytes => n as Bytes;
export const nanoseconds = (n: number): Nanoseconds => n as Nanoseconds;
export const gbps = (n: number): GBps => n as GBps;
export const KiB = (n: number): Bytes => bytes(n * 2 ** 10);
export const MiB = (n: number): Bytes => bytes(n * 2 ** 20);
export const GiB = (n: number): Bytes => bytes(n * 2 ** 30);

/** GPU timestamps are u64. Subtract while they are still bigint, then narrow. */
export const elapsed = (begin: bigint, end: bigint): Nanoseconds => nanoseconds(Number(end - begin));

/** Bytes per nanosecond is exactly decimal GB/s, so there is no factor to get wrong. */
export const throughput = (moved: Bytes, time: Nanoseconds): GBps => gbps(moved / time);
