/** What the system's errors say where memory is not enough: for numbers, for a text. */
const messages = /^(Array buffer allocation failed|Invalid (typed array|string) length(: \d+)?$)/;

/** Their codes, where they have one: for a thread, for a process, for a file. */
const codes = ['ERR_WORKER_OUT_OF_MEMORY', 'ERR_MEMORY_ALLOCATION_FAILED', 'ERR_STRING_TOO_LONG', 'ENOMEM'];

/** Whether an error says that there is too little memory for what was asked for. */
export function isOutOfMemory(error: Error): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return codes.includes(code) || (error instanceof RangeError && messages.test(error.message));
}
