import { receivedError } from '../src/sent-error.ts';
import type { calls } from './calls.ts';
import type { Answer, Request } from './protocol.ts';

/** The part of the Web Worker API that is used here: Node's types lack it. */
declare class Worker {
  constructor(address: URL, options: { readonly type: 'module' });
  onmessage: (event: { readonly data: Answer }) => void;
  onerror: (event: { readonly message?: string }) => void;
  postMessage(message: unknown): void;
  terminate(): void;
}

/** Options of a call: a signal to stop it, and callbacks for its events. */
export interface RunOptions<Progress> {
  /** Stops the call and ends its worker. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Called with information for the user, one line. */
  readonly onNotice?: ((notice: string) => void) | undefined;
  /** Called with a warning of a probable mistake, one line. */
  readonly onWarning?: ((warning: string) => void) | undefined;
}

interface Call {
  readonly message: Request;
  resolve(result: never): void;
  reject(error: unknown): void;
  readonly run: RunOptions<never>;
}

/** A worker, and the queue of calls to it, which run one after another. */
export class Remote<Calls = typeof calls> {
  private readonly worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  private readonly queue: Call[] = [];
  private current: Call | undefined;
  private ended: { readonly error: unknown } | undefined;

  constructor() {
    this.worker.onmessage = ({ data }) => this.receive(data);
    this.worker.onerror = ({ message = 'it cannot be loaded' }) =>
      this.end(new Error(`the worker of Parliament: ${message}`));
  }

  call<Result, Progress = never>(
    name: keyof Calls & string,
    args: readonly unknown[],
    run: RunOptions<Progress> = {},
  ): Promise<Result> {
    const { signal } = run;
    const stop = () => this.end(signal!.reason);
    return new Promise<Result>((resolve, reject) => {
      signal?.throwIfAborted();
      if (this.ended !== undefined) throw this.ended.error;
      signal?.addEventListener('abort', stop);
      this.queue.push({ resolve, reject, run: run as RunOptions<never>, message: { name, args } });
      this.next();
    }).finally(() => signal?.removeEventListener('abort', stop));
  }

  get isEnded(): boolean {
    return this.ended !== undefined;
  }

  /** Ends the worker; calls that are not done are rejected. */
  end(error: unknown): void {
    if (this.ended !== undefined) return;
    this.ended = { error };
    this.worker.terminate();
    for (const { reject } of [...(this.current ? [this.current] : []), ...this.queue]) reject(error);
  }

  private next(): void {
    if (this.current !== undefined) return;
    const call = this.queue.shift();
    if (call === undefined) return;
    try {
      this.worker.postMessage(call.message);
      this.current = call;
    } catch (error) {
      // An argument that cannot be sent, such as a function.
      call.reject(error);
      this.next();
    }
  }

  private receive(answer: Answer): void {
    const { run, resolve, reject } = this.current!;
    if ('event' in answer) {
      const listener = { progress: run.onProgress, notice: run.onNotice, warning: run.onWarning }[
        answer.event
      ];
      (listener as ((value: unknown) => void) | undefined)?.(answer.value);
      return;
    }
    this.current = undefined;
    if ('error' in answer) reject(receivedError(answer.error));
    else resolve(answer.result as never);
    this.next();
  }
}
