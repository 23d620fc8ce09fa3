/**
 * What Comlink cannot carry by itself, installed on both sides of the boundary: an `AbortSignal` is mirrored through a
 * port of its own, and an `AppError` arrives whole, with its failure (Comlink keeps name, message and stack).
 */
import { transferHandlers, type TransferHandler } from 'comlink';
import { AppError, type Failure } from '../base/errors.js';

interface Reason {
  readonly name: string;
  readonly message: string;
}
interface SignalMessage {
  readonly aborted: Reason | undefined;
  readonly port: MessagePort;
}

const reasonOf = (signal: AbortSignal): Reason => {
  const reason: unknown = signal.reason;
  return reason instanceof Error || reason instanceof DOMException
    ? { name: reason.name, message: reason.message }
    : { name: 'AbortError', message: String(reason) };
};
const revive = ({ name, message }: Reason): DOMException => new DOMException(message, name);

const signalHandler: TransferHandler<AbortSignal, SignalMessage> = {
  canHandle: (value): value is AbortSignal => value instanceof AbortSignal,
  serialize: (signal) => {
    const { port1, port2 } = new MessageChannel();
    signal.addEventListener('abort', () => port1.postMessage(reasonOf(signal)), { once: true });
    return [{ aborted: signal.aborted ? reasonOf(signal) : undefined, port: port2 }, [port2]];
  },
  deserialize: ({ aborted, port }) => {
    const controller = new AbortController();
    if (aborted !== undefined) controller.abort(revive(aborted));
    port.onmessage = (event: MessageEvent<Reason>) => {
      controller.abort(revive(event.data));
      port.close();
    };
    return controller.signal;
  },
};

interface Thrown {
  readonly value: unknown;
}
interface AppErrorMessage {
  readonly appError: { readonly failure: Failure; readonly message: string };
}
const isAppErrorMessage = (value: unknown): value is AppErrorMessage =>
  typeof value === 'object' && value !== null && 'appError' in value;

/** Wraps Comlink's own handler for thrown values. */
function throwHandler(original: TransferHandler<unknown, unknown>): TransferHandler<unknown, unknown> {
  return {
    canHandle: (value): value is unknown => original.canHandle(value),
    serialize: (thrown) => {
      const { value } = thrown as Thrown;
      if (!(value instanceof AppError)) return original.serialize(thrown);
      return [{ appError: { failure: value.failure, message: value.message } } satisfies AppErrorMessage, []];
    },
    deserialize: (message) => {
      if (isAppErrorMessage(message)) throw new AppError(message.appError.failure, message.appError.message);
      return original.deserialize(message);
    },
  };
}

let installed = false;

/** Call once on each side before the first message. */
export function installTransferHandlers(): void {
  if (installed) return;
  installed = true;
  transferHandlers.set('AbortSignal', signalHandler);
  const original = transferHandlers.get('throw');
  if (original === undefined) throw new Error('Comlink has no handler for thrown values');
  transferHandlers.set('throw', throwHandler(original));
}
