import { type ColumnEncoder, columnStart, valueCounts } from '../encoding/columns.ts';
import { UNKNOWN } from '../encoding/vocabulary.ts';
import type { Random } from '../learn/random.ts';
import type { Example } from './examples.ts';

/** Chances are counted in parts of this. */
const CERTAIN = 2 ** 30;

/**
 * Hides forms in training, the rarer the more often, so that there is something to learn of forms never seen.
 * One seen n times is unknown with probability strength / (strength + n), drawn anew whenever its sentence is
 * learnt from (Kiperwasser & Goldberg 2016, Q16-1023, §5, after Iyyer et al. 2015).
 */
export class FormDropout {
  /** Where forms stand; −1 where no template reads them. */
  private readonly column: number;
  /** How likely a form is hidden, by its number, in parts of CERTAIN. */
  private readonly chances: Float64Array;

  constructor(encoder: ColumnEncoder, examples: readonly Example[], strength: number) {
    this.column = encoder.names.indexOf('form');
    const size = this.column === -1 ? 0 : encoder.vocabulary(this.column).size;
    const counts = size > 0 ? valueCounts(examples, this.column, size) : [];
    this.chances = Float64Array.from(counts, (n) => Math.round((CERTAIN * strength) / (strength + n)));
  }

  /** The example with some of its forms unknown. */
  applyTo(example: Example, random: Random): Example {
    if (this.column === -1) return example;
    const columns = example.columns.slice();
    const start = columnStart(example.length, this.column);
    for (let i = start + 1; i <= start + example.length; i++) {
      if (random.below(CERTAIN) < this.chances[columns[i]]) columns[i] = UNKNOWN;
    }
    return { ...example, columns };
  }
}
