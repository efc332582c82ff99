/** The worker of a page: it does one call at a time, on the model that it holds. */
import { calls } from './calls.ts';
import { type Answer, type Request, sentError } from './protocol.ts';

/** The parts of a worker's scope that are used here: Node's types lack them. */
declare const self: {
  onmessage: (event: { readonly data: Request }) => void;
  postMessage(answer: Answer): void;
};

const tell = (event: 'progress' | 'notice' | 'warning') => (value: unknown) =>
  self.postMessage({ event, value });
const told = { onProgress: tell('progress'), onNotice: tell('notice'), onWarning: tell('warning') };

self.onmessage = async ({ data: { name, args } }) => {
  try {
    const call = calls[name as keyof typeof calls] as (...args: unknown[]) => unknown;
    self.postMessage({ result: await call(...args, told) });
  } catch (error) {
    self.postMessage({ error: sentError(error) });
  }
};
