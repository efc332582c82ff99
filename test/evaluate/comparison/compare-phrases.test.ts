import { describe, expect, test } from 'vitest';
import { compare } from '../../../src/evaluate/comparison/compare.ts';
import { comparePhrases } from '../../../src/evaluate/comparison/compare-phrases.ts';
import { scorePhrases } from '../../../src/evaluate/parseval/score-phrases.ts';
import { parseBrackets } from '../../../src/treebank/phrases/brackets.ts';
import { openTreebank } from '../../../src/treebank/reading/treebank-file.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('compare-phrases');
const gold = [
  '(S (NP (PRP We)) (VP (VBD saw) (NP (NN dogs)) (PP (IN in) (NP (NN town)))) (. .))',
  '(S (NP (NNS Dogs)) (VP (VBP bark)) (. .))',
].join('\n');
const attached = gold.replace(
  '(NP (NN dogs)) (PP (IN in) (NP (NN town)))',
  '(NP (NP (NN dogs)) (PP (IN in) (NP (NN town))))',
);
const relabelled = gold.replace('(PP (IN in)', '(ADVP (IN in)').replace('(VP (VBP bark))', '(NP (VBP bark))');

async function compared() {
  const texts = { gold, attached, relabelled, right: gold };
  const [goldFile, ...outputs] = await Promise.all(
    Object.entries(texts).map(([name, text]) =>
      openTreebank(sandbox.save(`${name}.mrg`, text), { expect: 'trees' }),
    ),
  );
  const { sentences } = await compare(goldFile, outputs, { rounds: 9 });
  const parsers = ['attached', 'relabelled', 'right'].map((name) => ({ name, file: `${name}.mrg` }));
  return (await comparePhrases(sentences, parsers, { rounds: 99 }))!;
}

describe('a comparison of phrase-structure parsers', () => {
  test('has the figures of evaluate for each parser', async () => {
    const { parsers } = await compared();
    const texts = [attached, relabelled, gold];
    for (const [i, text] of texts.entries()) {
      const { f1Counts, ...report } = await scorePhrases([...parseBrackets(gold)], [...parseBrackets(text)], {
        by: ['label', 'length'],
      });
      expect(parsers[i].report).toEqual({ ...report, file: parsers[i].report.file });
      expect(f1Counts.correct).toHaveLength(2);
    }
  });

  test('ranks the parsers by F1 and tests every pair', async () => {
    const { ranking, pairs } = await compared();
    expect(ranking).toEqual({ order: [2, 0, 1], groups: [[2, 0, 1]] });
    expect(pairs.map(({ a, b }) => [a, b])).toEqual([
      [0, 1],
      [0, 2],
      [1, 2],
    ]);
    expect(pairs[1].test.difference).toBeLessThan(0);
  });

  test('counts errors by label, by span and by the label given instead', async () => {
    const { byLabel, bySpan, relabelled } = await compared();
    const none = [0, 0, 0];
    expect(byLabel).toEqual([
      { bucket: 'NP', gold: 4, missing: none, wrong: [1, 1, 0], crossing: none },
      { bucket: 'S', gold: 2, missing: none, wrong: none, crossing: none },
      { bucket: 'VP', gold: 2, missing: [0, 1, 0], wrong: none, crossing: none },
      { bucket: 'PP', gold: 1, missing: [0, 1, 0], wrong: none, crossing: none },
      { bucket: 'ADVP', gold: 0, missing: none, wrong: [0, 1, 0], crossing: none },
    ]);
    expect(bySpan).toEqual([
      { bucket: '1', gold: 5, missing: [0, 1, 0], wrong: [0, 1, 0], crossing: none },
      { bucket: '2', gold: 2, missing: [0, 1, 0], wrong: [0, 1, 0], crossing: none },
      { bucket: '3-5', gold: 2, missing: none, wrong: [1, 0, 0], crossing: none },
    ]);
    expect(relabelled).toEqual([
      { gold: 'PP', predicted: 'ADVP', counts: [0, 1, 0] },
      { gold: 'VP', predicted: 'NP', counts: [0, 1, 0] },
    ]);
  });
});
