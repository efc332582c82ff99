import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';

/** Steps and outcomes are below this: with a place, they fit into a whole number of 53 bits. */
export const VALUES = 2 ** 26;
const STRIDE = 2 * VALUES;

/** An outcome's probability before anything is known. */
const UNKNOWN_OUTCOME = 1e-4;

/**
 * Counts of outcomes in contexts, each within a wider one, down to a widest: estimates in the narrower ones are
 * interpolated with those in the wider, the more, the more different outcomes a context has had (Witten & Bell 1991,
 * method C).
 *
 * Contexts and outcomes are the places of a tree, reached from place 0 step by step.
 */
export class BackoffCounts {
  private readonly places = new Map<number, number>();
  /** By place: the one before, and the step that led from there (from VALUES on, an outcome). */
  private readonly parents: number[] = [-1];
  private readonly steps: number[] = [-1];
  /** By place: how often that outcome was; of a context, how many outcomes in all, and how many different ones. */
  private readonly counts: number[] = [0];
  private readonly kinds: number[] = [0];

  /** @param levels after how many steps there is a context to estimate in, from the widest on */
  constructor(private readonly levels: readonly number[]) {}

  /** Counts an outcome in the narrowest context, to which the steps lead, and in all wider ones. */
  add(steps: Int32Array, outcome: number): void {
    let place = 0;
    let at = 0;
    for (const level of this.levels) {
      while (at < level) place = this.reach(place, steps[at++]);
      this.count(place, this.reach(place, VALUES + outcome), 1);
    }
  }

  /** The probability of an outcome in the context of a level, by default the narrowest. */
  probability(steps: Int32Array, outcome: number, narrowest = this.levels.length): number {
    const { levels, counts, kinds } = this;
    let probability = UNKNOWN_OUTCOME;
    let place: number | undefined = 0;
    let at = 0;
    for (let level = 0; level < narrowest; level++) {
      while (at < levels[level] && place !== undefined) place = this.after(place, steps[at++]);
      if (place === undefined || counts[place] === 0) break;
      const found = this.after(place, VALUES + outcome);
      const count = found === undefined ? 0 : counts[found];
      probability = (count + kinds[place] * probability) / (counts[place] + kinds[place]);
    }
    return probability;
  }

  save(file: ModelWriter, name: string): void {
    const { parents, steps, counts } = this;
    const rows = new Int32Array(3 * (parents.length - 1));
    for (let place = 1; place < parents.length; place++) {
      const row = 3 * (place - 1);
      rows[row] = parents[place];
      rows[row + 1] = steps[place];
      rows[row + 2] = steps[place] < VALUES ? 0 : counts[place];
    }
    file.section(name, rows);
  }

  /** The counts that `save` wrote; throws `InputError` where they are none. */
  static load(file: ModelReader, name: string, levels: readonly number[]): BackoffCounts {
    const counts = new BackoffCounts(levels);
    const numbers = file.numbersOf(name);
    while (!numbers.isAtEnd) {
      const next = counts.parents.length;
      const parent = numbers.next(0, next - 1);
      const step = numbers.next(0, STRIDE - 1);
      const count = numbers.next(0, 2 ** 31 - 1);
      const place = counts.reach(parent, step);
      const isOutcome = step >= VALUES;
      if (place !== next || counts.steps[parent] >= VALUES || count > 0 !== isOutcome)
        file.refuse(`section ${name}: expected contexts and outcomes, each once`);
      if (isOutcome) counts.count(parent, place, count);
    }
    return counts;
  }

  private count(context: number, outcome: number, by: number): void {
    if (this.counts[outcome] === 0) this.kinds[context]++;
    this.counts[outcome] += by;
    this.counts[context] += by;
  }

  private after(place: number, step: number): number | undefined {
    return this.places.get(place * STRIDE + step);
  }

  private reach(place: number, step: number): number {
    const known = this.after(place, step);
    if (known !== undefined) return known;
    const next = this.parents.length;
    this.places.set(place * STRIDE + step, next);
    this.parents.push(place);
    this.steps.push(step);
    this.counts.push(0);
    this.kinds.push(0);
    return next;
  }
}
