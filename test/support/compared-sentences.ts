import fc from 'fast-check';
import type { ComparedSentence } from '../../src/evaluate/compared-sentence.ts';
import { randomHeads } from './random-trees.ts';
import { sentence } from './sentences.ts';

const labels = ['subj', 'obj', 'mod', 'root'];

/** Sentences of 1…12 tokens with trees of this number of parsers, which often agree with the gold trees. */
export function comparedSentences(parsers: number): fc.Arbitrary<ComparedSentence> {
  return fc.integer({ min: 1, max: 12 }).chain((n) => {
    const column = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: n, maxLength: n });
    const label = fc.constantFrom(...labels);
    return fc
      .record({
        forms: column(fc.constantFrom('the', 'The', 'cat', 'is', '.')),
        tags: column(fc.constantFrom('X', 'Y', '_')),
        heads: randomHeads(n, n),
        labels: column(label),
        changes: fc.array(
          column(fc.option(fc.record({ head: fc.nat(n), label }), { nil: undefined, freq: 2 })),
          { minLength: parsers, maxLength: parsers },
        ),
        scored: column(fc.constantFrom(0, 1, 1, 1)),
      })
      .map(({ forms, tags, heads, labels, changes, scored }) => {
        const gold = sentence(forms.join(' '), heads.subarray(1).join(' '), {
          upos: tags.join(' '),
          labels: labels.join(' '),
        });
        const trees = changes.map((each) => ({
          heads: gold.heads.map((h, d) => (d === 0 ? -1 : (each[d - 1]?.head ?? h))),
          labels: gold.labels.map((name, d) => each[d - 1]?.label ?? name),
        }));
        return { gold, trees, scored: Uint8Array.of(0, ...scored) };
      });
  });
}
