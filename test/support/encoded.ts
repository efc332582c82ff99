import fc from 'fast-check';
import { ColumnEncoder, type EncodedColumn, type EncodedSentence } from '../../src/encoding/columns.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { sentence } from './sentences.ts';

/** Sentences of min…max tokens over a small vocabulary of words and tags, with random trees. */
export function smallSentences(min: number, max: number): fc.Arbitrary<Sentence> {
  const token = fc.record({
    form: fc.constantFrom('a', 'b', 'c', 'dog', 'Dog', '12', '3,4'),
    upos: fc.constantFrom('N', 'V', 'D', 'P'),
    xpos: fc.constantFrom('n1', 'n2', 'v1', 'd'),
    feats: fc.constantFrom('_', 'Case=Acc', 'Case=Nom|Number=Plur'),
    label: fc.constantFrom('x', 'y', 'z'),
    head: fc.nat(),
  });
  return fc.array(token, { minLength: min, maxLength: max }).map((tokens) =>
    sentence(
      tokens.map(({ form }) => form).join(' '),
      // The head of each token is the root or an earlier token, which always gives a tree.
      tokens.map(({ head }, i) => head % (i + 1)).join(' '),
      {
        upos: tokens.map(({ upos }) => upos).join(' '),
        xpos: tokens.map(({ xpos }) => xpos).join(' '),
        feats: tokens.map(({ feats }) => feats).join(' '),
        labels: tokens.map(({ label }) => label).join(' '),
      },
    ),
  );
}

/** A sentence encoded as numbers, and its encoder. */
export function encoded(
  one: Sentence,
  names: readonly EncodedColumn[],
): { encoder: ColumnEncoder; sentence: EncodedSentence } {
  const encoder = new ColumnEncoder(names, { normalize: true, stem: 'none' });
  return { encoder, sentence: encoder.learn(one) };
}
