import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { evaluate } from '../../../src/evaluate/evaluate.ts';
import { tokenOutcomes } from '../../../src/evaluate/significance/outcomes.ts';
import { sentence, treebank } from '../../support/sentences.ts';

const upos = 'DET NOUN VERB PUNCT';
const gold = treebank(
  'gold',
  sentence('the cat sleeps .', '2 3 0 3', { upos, labels: 'det nsubj root punct' }),
  sentence('she', '0', { upos: 'PRON', labels: 'root' }),
);
const predicted = treebank(
  'predicted',
  sentence('the cat sleeps .', '2 3 0 2', { upos, labels: 'det obj root punct' }),
  sentence('she', '0', { upos: 'PRON', labels: 'dep' }),
);

test('outcomes list the right tokens and count them by sentence, for the head, the label and both', async () => {
  const total = Int32Array.of(4, 1);
  expect(await tokenOutcomes(gold, predicted)).toEqual({
    uas: { tokens: Uint8Array.of(1, 1, 1, 0, 1), sentences: { correct: Int32Array.of(3, 1), total } },
    las: { tokens: Uint8Array.of(1, 0, 1, 0, 0), sentences: { correct: Int32Array.of(2, 0), total } },
    laa: { tokens: Uint8Array.of(1, 0, 1, 1, 0), sentences: { correct: Int32Array.of(3, 0), total } },
  });
});

test('a token that the punctuation rule leaves out has no outcome', async () => {
  const { uas } = await tokenOutcomes(gold, predicted, 'upos');
  expect(uas.tokens).toEqual(Uint8Array.of(1, 1, 1, 1));
  expect(uas.sentences).toEqual({ correct: Int32Array.of(3, 1), total: Int32Array.of(3, 1) });
});

test('a sentence of punctuation only stays in place, with nothing to score', async () => {
  const stop = sentence('.', '0', { upos: 'PUNCT' });
  const { las } = await tokenOutcomes(treebank('g', stop, stop), treebank('p', stop, stop), 'upos');
  expect(las).toEqual({
    tokens: new Uint8Array(),
    sentences: { correct: new Int32Array(2), total: new Int32Array(2) },
  });
});

/** The head, label and UPOS of a token; each token has two of them, of which the first is gold. */
const token = fc.tuple(fc.constantFrom('0', '1'), fc.constantFrom('a', 'b'), fc.constantFrom('X', 'PUNCT'));
const sentences = fc.array(fc.array(fc.tuple(token, token), { minLength: 1, maxLength: 5 }), {
  minLength: 1,
});

type Token = readonly string[];

function answers(side: 0 | 1, pairs: readonly (readonly (readonly [Token, Token])[])[]) {
  const trees = pairs.map((tokens) => {
    const column = (i: 0 | 1 | 2) => tokens.map((pair) => pair[side][i]).join(' ');
    const forms = tokens.map(() => 'word').join(' ');
    return sentence(forms, column(0), { labels: column(1), upos: column(2) });
  });
  return treebank('answers', ...trees);
}

test('outcomes add up to what evaluate reports', async () => {
  const sum = (values: Iterable<number>) => [...values].reduce((x, y) => x + y, 0);
  await fc.assert(
    fc.asyncProperty(sentences, async (pairs) => {
      const [right, answered] = [answers(0, pairs), answers(1, pairs)];
      const { tokens, correct } = await evaluate(right, answered, { punctuation: 'upos' });
      const { uas, las, laa } = await tokenOutcomes(right, answered, 'upos');
      for (const [found, expected] of [
        [uas, correct.heads],
        [las, correct.arcs],
        [laa, correct.labels],
      ] as const) {
        expect(sum(found.sentences.total)).toBe(tokens);
        expect(sum(found.sentences.correct)).toBe(expected);
        expect(sum(found.tokens)).toBe(expected);
      }
    }),
  );
});

test('files whose tokens differ are refused, as by evaluate', async () => {
  const other = treebank('other', sentence('the dog sleeps .', '2 3 0 3'));
  await expect(tokenOutcomes(gold, other)).rejects.toThrow(
    new InputError('gold sentence 1: token 2 is “cat”, but predicted sentence 1 has “dog”'),
  );
});
