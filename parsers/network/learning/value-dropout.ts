import { columnStart, valueCounts } from '../../../src/encoding/columns.ts';
import type { Numbering } from '../../../src/encoding/numbering.ts';
import { UNKNOWN } from '../../../src/encoding/vocabulary.ts';
import type { Random } from '../../../src/learn/random.ts';
import type { Example } from '../../../src/training/examples.ts';
import type { NetworkSettings } from '../settings.ts';

/** How often a value is hidden, whatever it is; and a form in STRENGTH / (STRENGTH + n) of all cases if seen n times. */
const SHARE = 0.1;
const STRENGTH = 0.25;

/**
 * Hides values of tokens from a network that learns, so that it knows what to do without, and with values never seen; forms
 * the more often, the rarer they are (Kiperwasser & Goldberg 2016, §5).
 */
export class ValueDropout {
  private readonly places: readonly number[];
  private readonly form: number;
  private readonly chances: Float64Array;

  constructor({ encoder }: Numbering, { columns }: NetworkSettings, examples: readonly Example[]) {
    this.places = columns.map((name) => encoder.names.indexOf(name));
    this.form = encoder.names.indexOf('form');
    const counts = valueCounts(examples, this.form, encoder.vocabulary(this.form).size);
    this.chances = Float64Array.from(counts, (n) => STRENGTH / (STRENGTH + n));
  }

  /** The example with some of its values unknown. */
  applyTo(example: Example, random: Random): Example {
    const columns = example.columns.slice();
    for (const place of this.places) {
      const start = columnStart(example.length, place);
      for (let i = start + 1; i <= start + example.length; i++) {
        if (random.share() < SHARE) columns[i] = UNKNOWN;
        else if (place === this.form && random.share() < this.chances[columns[i]]) columns[i] = UNKNOWN;
      }
    }
    return { ...example, columns };
  }
}
