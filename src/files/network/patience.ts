/** Bytes a second, on average over the time that is waited: less is as good as nothing. */
const LEAST_RATE = 500;

/** How long what sends nothing, or next to nothing, is waited for; in milliseconds. */
const SPAN = 30_000;

/**
 * Gives up, through a signal, what does not come: a server that cannot be reached, that is silent, that sends a byte
 * now and then.
 */
export class Patience {
  /** Aborted when the patience is at its end, or with the signal given. */
  readonly signal: AbortSignal;
  private readonly timer: NodeJS.Timeout;
  private bytes = 0;

  constructor(signal: AbortSignal | undefined, span: number = SPAN) {
    const controller = new AbortController();
    this.signal = signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]);
    this.timer = setInterval(() => {
      if (this.bytes < (LEAST_RATE * span) / 1000) {
        controller.abort(new Error(`given up: ${this.bytes} bytes in ${span / 1000} s`));
      }
      this.bytes = 0;
    }, span);
  }

  /** Passes bytes on; each is worth waiting for the next. */
  async *hears(data: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of data) {
      this.bytes += chunk.length;
      yield chunk;
    }
  }

  /** Waits no more. */
  end(): void {
    clearInterval(this.timer);
  }
}

/** Passes bytes on; throws as soon as they are more than `most`: who sends them may never end. */
export async function* atMost(most: number, data: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of data) {
    bytes += chunk.length;
    if (bytes > most) throw new Error(`more than the ${most} bytes expected`);
    yield chunk;
  }
}
