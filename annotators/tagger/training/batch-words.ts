import type { Random } from '../../../src/learn/random.ts';
import { FORM, UNKNOWN, VALUES, type WordValues } from '../network/word-values.ts';
import { Field, FLAG_SETS } from '../words.ts';
import { eachWord, type Lesson } from './training-data.ts';

/** How often a value is hidden, whatever it is; and a form in STRENGTH / (STRENGTH + n) of all cases if seen n times. */
const SHARE = 0.1;
const STRENGTH = 0.25;

/**
 * The different words of some sentences, as a network that learns sees them. Some of their values are hidden, so that it
 * knows what to do without, and with values never seen; forms the more often, the rarer they are (Kiperwasser & Goldberg
 * 2016, section 5).
 */
export class BatchWords {
  /** How many there are, and their values. */
  count = 0;
  readonly values: Int32Array;
  /** Of each word of the sentences, one after the other, which of them it is. */
  readonly rows: Int32Array;
  private readonly rowOf = new Map<number, number>();
  /** Of each form by number how often it is hidden. */
  private readonly chances: Float64Array;

  /** @param most words that the sentences have at most, together */
  constructor(
    private readonly numbers: WordValues,
    lessons: readonly Lesson[],
    most: number,
  ) {
    this.values = new Int32Array(most * VALUES);
    this.rows = new Int32Array(most);
    const counts = new Float64Array(numbers.fields[FORM].values);
    eachWord(lessons, (data, at) => counts[numbers.numberOf(FORM, data[at + Field.lower])]++);
    this.chances = counts.map((n) => STRENGTH / (STRENGTH + n));
  }

  read(lessons: readonly Lesson[], random: Random): void {
    this.count = 0;
    this.rowOf.clear();
    let place = 0;
    eachWord(lessons, (data, at) => {
      this.rows[place++] = this.rowAt(data, at, random);
    });
  }

  private rowAt(data: Int32Array, at: number, random: Random): number {
    const key = data[at + Field.number] * FLAG_SETS + data[at + Field.flags];
    const known = this.rowOf.get(key);
    if (known !== undefined) return known;
    const row = this.count++;
    this.rowOf.set(key, row);
    const start = row * VALUES;
    this.numbers.fill(data, at, this.values, start);
    if (random.share() < this.chances[this.values[start + FORM]]) this.values[start + FORM] = UNKNOWN;
    for (let v = 0; v < VALUES; v++) if (random.share() < SHARE) this.values[start + v] = UNKNOWN;
    return row;
  }
}
