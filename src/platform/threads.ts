/** Worker threads; a page has none, but is in one itself (threads.browser.ts). */
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
  workerData,
} from 'node:worker_threads';
import { InputError } from '../errors.ts';

export { Piscina } from 'piscina';

/** Milliseconds after which a thread that gives no answer counts as lost. */
const TIMEOUT = 600_000;

interface Line {
  readonly port: MessagePort;
  /** Holds 1 once the answer is at the port. */
  readonly answered: Int32Array;
}

/** A thread for what can only be done asynchronously: who asks it sleeps until the answer is there. */
export class AnsweringThread<Question, Answer> {
  private readonly line: Line;

  /** @param file the module that calls `answerQuestions` */
  constructor(file: URL) {
    const { port1, port2 } = new MessageChannel();
    const answered = new Int32Array(new SharedArrayBuffer(4));
    const line: Line = { port: port2, answered };
    new Worker(file, { workerData: line, transferList: [port2] }).unref();
    this.line = { port: port1, answered };
  }

  /** Throws `InputError` where answering threw. */
  ask(question: Question): Answer {
    const { port, answered } = this.line;
    Atomics.store(answered, 0, 0);
    port.postMessage(question);
    if (Atomics.wait(answered, 0, 0, TIMEOUT) === 'timed-out') throw new Error('a thread gives no answer');
    const { answer, problem } = receiveMessageOnPort(port)!.message;
    if (problem !== undefined) throw new InputError(problem);
    return answer;
  }
}

/** Answers the questions of the thread that started this one. */
export function answerQuestions<Question>(answer: (question: Question) => Promise<unknown>): void {
  const { port, answered } = workerData as Line;
  port.on('message', async (question: Question) => {
    port.postMessage(
      await answer(question).then(
        (answer) => ({ answer }),
        ({ message }: Error) => ({ problem: message }),
      ),
    );
    Atomics.store(answered, 0, 1);
    Atomics.notify(answered, 0);
  });
}
