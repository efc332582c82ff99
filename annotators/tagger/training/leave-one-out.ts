import { FIELDS, Field, PAD, type Words } from '../words.ts';
import type { LexiconCounts } from './lexicon-counts.ts';

/**
 * Changes what the words to learn from say of their tags: each is seen as it would be had it itself not been there.
 * Else a rare word would tell its own tag, which in new text it does not, and neither its affixes nor what stands
 * around it would be learnt from.
 */
export class LeaveOneOut {
  /** The numbers of words of which something else is known. */
  private readonly numbers = new Map<string, number>();

  constructor(
    private readonly counts: LexiconCounts,
    /** So many numbers are those of different words. */
    private readonly size: number,
  ) {}

  /** @param bundles of the words, which have been counted with them */
  apply({ data, length }: Words, bundles: Int32Array): void {
    for (let i = 0; i < length; i++) {
      const at = (PAD + i) * FIELDS;
      const { ambiguity, usual } = this.counts.knownWithout(data[at + Field.lower], bundles[i]);
      if (ambiguity === data[at + Field.ambiguity] && usual === data[at + Field.usual]) continue;
      data[at + Field.ambiguity] = ambiguity;
      data[at + Field.usual] = usual;
      data[at + Field.number] = this.numberOf(`${data[at + Field.number]} ${ambiguity} ${usual}`);
    }
  }

  /** What depends on a word alone is remembered by its number: what differs has another. */
  private numberOf(key: string): number {
    const number = this.numbers.get(key) ?? this.size + this.numbers.size;
    this.numbers.set(key, number);
    return number;
  }
}
