/** Lets cells begin in their order, as many at the same time as memory allows; one that needs more runs alone. */
export class MemoryTurns {
  private readonly queue: { readonly bytes: number; readonly begin: () => void }[] = [];
  private used = 0;
  private running = 0;

  constructor(private readonly memory: number) {}

  /** How many wait for their turn. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Ends when there is room; gives what makes room again. */
  async take(bytes: number): Promise<() => void> {
    await new Promise<void>((begin) => {
      this.queue.push({ bytes, begin });
      this.next();
    });
    return () => {
      this.used -= bytes;
      this.running--;
      this.next();
    };
  }

  private next(): void {
    for (let first = this.queue[0]; first !== undefined; first = this.queue[0]) {
      if (this.running > 0 && this.used + first.bytes > this.memory) return;
      this.queue.shift();
      this.used += first.bytes;
      this.running++;
      first.begin();
    }
  }
}
