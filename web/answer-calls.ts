import { type Answer, type Request, sentError } from './protocol.ts';

/** The parts of a worker's scope that are used here: Node's types lack them. */
declare const self: {
  onmessage: (event: { readonly data: Request }) => void;
  postMessage(answer: Answer): void;
};

const tell = (event: 'progress' | 'notice' | 'warning') => (value: unknown) =>
  self.postMessage({ event, value });
const told = { onProgress: tell('progress'), onNotice: tell('notice'), onWarning: tell('warning') };

/** Does what the page asks for, one call at a time; each has `told` as its last argument. */
export function answerCalls(calls: object): void {
  self.onmessage = async ({ data: { name, args } }) => {
    try {
      const call = (calls as Record<string, (...args: unknown[]) => unknown>)[name];
      self.postMessage({ result: await call(...args, told) });
    } catch (error) {
      self.postMessage({ error: sentError(error) });
    }
  };
}
