import { columnStart, type EncodedSentence, neighbour } from '../../../src/encoding/columns.ts';
import { finish, mix } from '../../../src/learn/hashing.ts';
import type { Parts } from '../arcs/arc-parts.ts';
import type { Field, Pattern } from './pattern.ts';

/** The hash keys under which the patterns of a sentence's arcs are counted. */
export class PatternKeys<P extends string> {
  private parts: Parts<P>;
  private size = 0;
  /** At k * size + i: the hash of what pattern k reads of token i as head, and as dependent. */
  private heads = new Int32Array(0);
  private dependents = new Int32Array(0);
  private sentence: EncodedSentence = { length: 0, columns: new Int32Array(0) };

  constructor(
    readonly patterns: readonly Pattern<P>[],
    /** Makes room for the parts of sentences of up to `most` tokens. */
    private readonly makeParts: (most: number) => Parts<P>,
  ) {
    this.parts = makeParts(0);
  }

  /** Takes up a sentence. */
  prepare(sentence: EncodedSentence): void {
    const { patterns } = this;
    const { length } = sentence;
    this.sentence = sentence;
    if (length >= this.size) {
      this.size = 2 * length + 1;
      this.parts = this.makeParts(this.size);
      this.heads = new Int32Array(patterns.length * this.size);
      this.dependents = new Int32Array(patterns.length * this.size);
    }
    for (let k = 0; k < patterns.length; k++) {
      const ofHead = patterns[k].fields.filter(({ of }) => of === 'head');
      const ofDependent = patterns[k].fields.filter(({ of }) => of === 'dependent');
      for (let i = 0; i <= length; i++) {
        this.heads[k * this.size + i] = hashFields(sentence, i, ofHead, 2 * k + 1);
        this.dependents[k * this.size + i] = hashFields(sentence, i, ofDependent, 2 * k + 2);
      }
    }
  }

  /** Takes up a dependent: `write` then gives the keys of arcs into it. */
  enter(d: number): void {
    this.parts.prepare(this.sentence, d);
  }

  /** Writes the keys of pattern k for the arcs into d from all heads; that of d itself means nothing. */
  write(k: number, d: number, keys: Int32Array): void {
    const { heads, size } = this;
    const { length } = this.sentence;
    const part = this.parts.of[this.patterns[k].part];
    const first = k * size;
    const dependent = this.dependents[first + d];
    for (let h = 0; h <= length; h++) {
      // 0 marks empty rows of the tables, so that it must not be a key.
      keys[h] = finish(mix(heads[first + h] + dependent, part[h])) || 1;
    }
  }

  /** The key of pattern k for the arc from h to the dependent taken up. */
  key(k: number, h: number, d: number): number {
    const first = k * this.size;
    const words = this.heads[first + h] + this.dependents[first + d];
    return finish(mix(words, this.parts.of[this.patterns[k].part][h])) || 1;
  }
}

/** Fields beyond the marks before and after the sentence read as these. */
function hashFields(
  { length, columns }: EncodedSentence,
  i: number,
  fields: readonly Field[],
  seed: number,
): number {
  let hash = mix(seed, fields.length);
  for (const { column, offset } of fields) {
    hash = mix(hash, columns[columnStart(length, column) + neighbour(length, i, offset)]);
  }
  return finish(hash);
}
