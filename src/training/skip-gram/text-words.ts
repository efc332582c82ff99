import { LINE_END } from '../../learn/skip-gram/layout.ts';
import { numberIn } from '../../number-in.ts';

const BLOCK = 1 << 20;

/** Collects the words of a text, numbered in the order of their first occurrence. */
export class TextWords {
  /** Number of words, whatever their frequency. */
  count = 0;
  private readonly numbers = new Map<string, number>();
  private readonly blocks: Int32Array[] = [];
  private length = 0;

  add(line: readonly string[]): void {
    for (const word of line) this.push(numberIn(this.numbers, word));
    this.count += line.length;
    if (line.length > 0) this.push(LINE_END);
  }

  private push(number: number): void {
    if (this.length === this.blocks.length * BLOCK) this.blocks.push(new Int32Array(BLOCK));
    this.blocks[this.blocks.length - 1][this.length++ % BLOCK] = number;
  }

  /** The words that occur at least `leastCount` times, the most frequent first; ties: the first in the text. */
  vocabulary(leastCount: number): Vocabulary {
    const counts = new Float64Array(this.numbers.size);
    for (const number of this.all()) if (number !== LINE_END) counts[number]++;
    const kept = [...this.numbers].filter(([, number]) => counts[number] >= leastCount);
    kept.sort(([, a], [, b]) => counts[b] - counts[a] || a - b);
    const renumbered = new Int32Array(this.numbers.size).fill(MISSING);
    for (const [i, [, number]] of kept.entries()) renumbered[number] = i;
    return {
      words: kept.map(([word]) => word),
      counts: Float64Array.from(kept, ([, number]) => counts[number]),
      text: this.renumber(renumbered),
    };
  }

  /** The text without the words that are `MISSING`. */
  private renumber(numbers: Int32Array): Int32Array {
    const text = new Int32Array(this.length);
    let count = 0;
    for (const number of this.all()) {
      const now = number === LINE_END ? LINE_END : numbers[number];
      if (now === MISSING || (now === LINE_END && (count === 0 || text[count - 1] === LINE_END))) continue;
      text[count++] = now;
    }
    return text.subarray(0, count);
  }

  private *all(): Generator<number> {
    for (let i = 0; i < this.length; i++) yield this.blocks[Math.floor(i / BLOCK)][i % BLOCK];
  }
}

/** In place of the number of a word that is too rare. */
const MISSING = -2;

/** The words of a text that are frequent enough, and the text as their numbers with `LINE_END` between lines. */
export interface Vocabulary {
  readonly words: readonly string[];
  readonly counts: Float64Array;
  readonly text: Int32Array;
}
