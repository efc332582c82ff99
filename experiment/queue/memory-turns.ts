/** Lets cells begin in their order, as many at the same time as memory allows; one that needs more runs alone. */
export class MemoryTurns {
  readonly #waiting: { readonly bytes: number; readonly begin: () => void }[] = [];
  #used = 0;
  #running = 0;

  constructor(private readonly memory: number) {}

  /** How many wait for their turn. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Ends when there is room; gives what makes room again. */
  async take(bytes: number): Promise<() => void> {
    await new Promise<void>((begin) => {
      this.#waiting.push({ bytes, begin });
      this.#next();
    });
    return () => {
      this.#used -= bytes;
      this.#running--;
      this.#next();
    };
  }

  #next(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      if (this.#running > 0 && this.#used + first.bytes > this.memory) return;
      this.#waiting.shift();
      this.#used += first.bytes;
      this.#running++;
      first.begin();
    }
  }
}
