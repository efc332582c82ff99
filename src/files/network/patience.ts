/** Bytes per second. */
const LEAST_RATE = 500;

/** Milliseconds after which too slow a transfer is given up. */
const SPAN = 30_000;

/** A watchdog for transfers: aborts its signal when a server is unreachable, silent, or too slow. */
export class Patience {
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

  async *hears(data: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of data) {
      this.bytes += chunk.length;
      yield chunk;
    }
  }

  end(): void {
    clearInterval(this.timer);
  }
}

/** Passes bytes on; throws above `most`, as a sender may never end. */
export async function* atMost(most: number, data: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of data) {
    bytes += chunk.length;
    if (bytes > most) throw new Error(`more than the ${most} bytes expected`);
    yield chunk;
  }
}
