/** Whole numbers taken one after the other, each checked as it is taken. */
export class NumberReader {
  private at = 0;

  /** `refuse` says what is wrong with the numbers, by throwing. */
  constructor(
    private readonly numbers: Int32Array,
    private readonly refuse: (problem: string) => never,
  ) {}

  get isAtEnd(): boolean {
    return this.at >= this.numbers.length;
  }

  /** The next number, from `least` to `most`. */
  next(least: number, most: number): number {
    if (this.isAtEnd) this.refuse('ends too early');
    const number = this.numbers[this.at++];
    return number >= least && number <= most
      ? number
      : this.refuse(`expected ${least} to ${most}, not ${number}`);
  }

  /** The next numbers, ascending, from `least` to `most`. */
  ascending(count: number, least: number, most: number): Int32Array {
    const numbers = new Int32Array(count);
    let from = least;
    for (let i = 0; i < count; i++) {
      numbers[i] = this.next(from, most);
      from = numbers[i] + 1;
    }
    return numbers;
  }
}
