/**
 * Streams and events of the simulated device. Work never finishes by itself: an event is complete once its stream was
 * synchronised after the record, by the program (`complete`) or by the allocator.
 */
import { type DeviceEvents } from './device-memory.js';

interface EventCalls {
  cudaEventRecord: number;
  cudaEventQuery: number;
  cudaEventSynchronize: number;
  cudaStreamSynchronize: number;
}

export class SimulatedEvents implements DeviceEvents {
  #recorded = 0;
  /** Events of a stream up to this number are complete. */
  readonly #completeUpTo = new Map<number, number>();

  constructor(private readonly calls: EventCalls) {}

  record(stream: number): number {
    this.calls.cudaEventRecord += 1;
    if (!this.#completeUpTo.has(stream)) this.#completeUpTo.set(stream, this.#recorded);
    this.#recorded += 1;
    return this.#recorded;
  }

  isComplete(event: number, stream: number): boolean {
    this.calls.cudaEventQuery += 1;
    return event <= (this.#completeUpTo.get(stream) ?? 0);
  }

  synchronize(event: number, stream: number): void {
    this.calls.cudaEventSynchronize += 1;
    this.#completeUpTo.set(stream, Math.max(event, this.#completeUpTo.get(stream) ?? 0));
  }

  synchronizeStream(stream: number): void {
    this.calls.cudaStreamSynchronize += 1;
    this.#completeUpTo.set(stream, this.#recorded);
  }

  complete(stream?: number): void {
    const streams = stream === undefined ? [...this.#completeUpTo.keys()] : [stream];
    for (const each of streams) this.#completeUpTo.set(each, this.#recorded);
  }
}
