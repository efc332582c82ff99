import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AttachmentCounts } from '../../../src/evaluate/attachment/attachment-counts.ts';
import type { ComparedSentence } from '../../../src/evaluate/compared-sentence.ts';
import { ErrorKinds } from '../../../src/evaluate/comparison/errors.ts';
import { type Columns, sentence } from '../../support/sentences.ts';

/** A sentence with the parsers’ trees, each `heads / labels`. */
function compared(forms: string, columns: Columns, gold: string, ...trees: string[]): ComparedSentence {
  const [goldTree, ...others] = [gold, ...trees].map((tree) => {
    const [heads, labels] = tree.split(' / ');
    return sentence(forms, heads, { ...columns, labels });
  });
  return { gold: goldTree, trees: others, scored: new Uint8Array(goldTree.length + 1).fill(1, 1) };
}

function errorAnalysis(
  sentences: readonly ComparedSentence[],
  parsers: number,
  { limit, labelled }: { readonly limit?: number | undefined; readonly labelled: boolean },
) {
  const errors = new ErrorKinds(parsers, labelled);
  for (const sentence of sentences) errors.add(sentence);
  return errors.analysis(limit);
}

const upos = 'PRON VERB DET NOUN ADP NOUN';
const right = '2 0 4 2 6 4 / nsubj root det obj case nmod';
const saw = compared(
  'We saw the man with telescopes',
  { upos },
  right,
  '2 0 4 2 6 2 / nsubj root det obj case obl',
  '2 0 4 2 6 4 / nsubj root det obj case nmod',
  '2 0 6 2 6 2 / nsubj root det iobj case obl',
);
const analyse = (limit?: number) => errorAnalysis([saw, saw], 3, { limit, labelled: true });

test('confusions of labels are counted for each parser, whatever the heads', () => {
  expect(analyse().labelConfusions).toMatchObject([
    { gold: 'nmod', predicted: 'obl', counts: [2, 0, 2] },
    { gold: 'obj', predicted: 'iobj', counts: [0, 0, 2] },
  ]);
});

test('wrong arcs are grouped by the word’s tag, and by label, side and tag of the head in both trees', () => {
  expect(analyse().wrongArcs).toMatchObject([
    {
      tag: 'NOUN',
      gold: { label: 'nmod', head: 'left', headTag: 'NOUN' },
      predicted: { label: 'obl', head: 'left', headTag: 'VERB' },
      counts: [2, 0, 2],
    },
    {
      tag: 'DET',
      gold: { label: 'det', head: 'right', headTag: 'NOUN' },
      predicted: { label: 'det', head: 'right', headTag: 'NOUN' },
      counts: [0, 0, 2],
    },
    { tag: 'NOUN', gold: { label: 'obj' }, predicted: { label: 'iobj' }, counts: [0, 0, 2] },
  ]);
});

test('the artificial root has no tag and is on no side', () => {
  const wrong = compared('a b', { upos: 'X Y' }, '2 0 / x root', '0 1 / root x');
  const { wrongArcs } = errorAnalysis([wrong], 1, { labelled: true });
  expect(wrongArcs[0]).toMatchObject({
    gold: { label: 'x', head: 'right', headTag: 'Y' },
    predicted: { label: 'root', head: 'root' },
  });
  expect(wrongArcs[0].predicted).not.toHaveProperty('headTag');
});

test('words are grouped by form, ignoring case, and by tag, with their number of occurrences', () => {
  const upos = 'NOUN VERB NOUN VERB';
  const words = compared(
    'Man man MAN tree',
    { upos },
    '4 4 4 0 / a b c root',
    '3 4 4 0 / a b c root',
    '4 4 4 0 / x b x root',
  );
  expect(errorAnalysis([words], 2, { labelled: true }).words).toMatchObject([
    { form: 'man', tag: 'NOUN', tokens: 2, counts: [1, 2] },
  ]);
});

test('examples are the first three places of each parser', () => {
  const { words } = errorAnalysis(Array(5).fill(saw), 3, { labelled: true });
  const places = (token: number) => [1, 2, 3].map((number) => ({ sentence: number, token }));
  expect(words.find(({ form }) => form === 'telescopes')?.examples).toEqual([places(6), [], places(6)]);
});

describe('lists of errors', () => {
  test('begin with the errors that all parsers together make most often, with ties in a fixed order', () => {
    expect(analyse().words.map(({ form, counts }) => [form, counts])).toEqual([
      ['telescopes', [2, 0, 2]],
      ['man', [0, 0, 2]],
      ['the', [0, 0, 2]],
    ]);
  });

  test('end at the limit', () => {
    const { labelConfusions, wrongArcs, words } = analyse(1);
    expect([labelConfusions, wrongArcs, words].map(({ length }) => length)).toEqual([1, 1, 1]);
    expect(analyse(1).words).toEqual(analyse().words.slice(0, 1));
  });
});

test('tokens that are not scored count neither as errors nor as words', () => {
  const unscored = { ...saw, scored: Uint8Array.of(0, 1, 1, 1, 1, 1, 0) };
  const { labelConfusions, words } = errorAnalysis([unscored], 3, { labelled: true });
  expect(labelConfusions).toMatchObject([{ gold: 'obj' }]);
  expect(words.map(({ form }) => form)).toEqual(['man', 'the']);
});

test('without gold labels only wrong heads are errors', () => {
  const { labelConfusions, wrongArcs } = errorAnalysis([saw], 3, { labelled: false });
  expect(labelConfusions).toEqual([]);
  expect(wrongArcs.map(({ tag, counts }) => [tag, counts])).toEqual([
    ['NOUN', [1, 0, 1]],
    ['DET', [0, 0, 1]],
  ]);
});

test('wrong arcs and wrong words add up to the tokens that LAS counts as wrong, confusions to those of LAA', () => {
  const tree = fc.array(fc.tuple(fc.nat(5), fc.constantFrom('a', 'b', 'c')), {
    minLength: 5,
    maxLength: 5,
  });
  const notation = (tokens: [number, string][]) =>
    `${tokens.map(([head]) => head).join(' ')} / ${tokens.map(([, label]) => label).join(' ')}`;
  fc.assert(
    fc.property(tree, tree, (g, p) => {
      const both = compared('u v U v w', { upos: 'X Y X Z Z' }, notation(g), notation(p));
      const { labelConfusions, wrongArcs, words } = errorAnalysis([both], 1, { labelled: true });
      const counts = new AttachmentCounts();
      const [predicted] = both.trees;
      counts.add(both.gold.heads, both.gold.labels, predicted.heads, predicted.labels, 5);
      const sum = (kinds: readonly { readonly counts: readonly number[] }[]) =>
        kinds.reduce((total, kind) => total + kind.counts[0], 0);
      expect(sum(wrongArcs)).toBe(5 - counts.arcs);
      expect(sum(words)).toBe(5 - counts.arcs);
      expect(sum(labelConfusions)).toBe(5 - counts.labels);
    }),
  );
});
