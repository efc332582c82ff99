/** Worker threads; in pages, the code runs in a worker already (threads.browser.ts). */
import type { MessagePort } from 'node:worker_threads';
import { MessageChannel, receiveMessageOnPort, Worker, workerData } from 'node:worker_threads';
import { InputError } from '../errors.ts';

export { Piscina } from 'piscina';

/** Milliseconds after which a thread that does not answer counts as lost. */
const TIMEOUT = 600_000;

interface Channel {
  readonly port: MessagePort;
  /** Holds 1 once the answer is at the port. */
  readonly answered: Int32Array;
}

/** A worker thread that makes asynchronous work synchronous: `ask` blocks the calling thread until the answer has come. */
export class BlockingWorker<Request, Answer> {
  private readonly channel: Channel;

  /** @param file the module that calls `answerRequests` */
  constructor(file: URL) {
    const { port1, port2 } = new MessageChannel();
    const answered = new Int32Array(new SharedArrayBuffer(4));
    const channel: Channel = { port: port2, answered };
    new Worker(file, { workerData: channel, transferList: [port2] }).unref();
    this.channel = { port: port1, answered };
  }

  /** Throws `InputError` with the message of an error in the worker. */
  ask(request: Request): Answer {
    const { port, answered } = this.channel;
    Atomics.store(answered, 0, 0);
    port.postMessage(request);
    // In a loop: the notification of the answer before this one may come late, and wake this thread too early.
    while (Atomics.load(answered, 0) === 0)
      if (Atomics.wait(answered, 0, 0, TIMEOUT) === 'timed-out') throw new Error('a thread gives no answer');
    const { answer, problem } = receiveMessageOnPort(port)!.message;
    if (problem !== undefined) throw new InputError(problem);
    return answer;
  }
}

/** Answers the requests of the thread that started this one. */
export function answerRequests<Request>(answer: (request: Request) => Promise<unknown>): void {
  const { port, answered } = workerData as Channel;
  port.on('message', async (request: Request) => {
    port.postMessage(
      await answer(request).then(
        (answer) => ({ answer }),
        ({ message }: Error) => ({ problem: message }),
      ),
    );
    Atomics.store(answered, 0, 1);
    Atomics.notify(answered, 0);
  });
}
