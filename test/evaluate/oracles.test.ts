import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type EvaluationReport, evaluate } from '../../src/evaluate/evaluate.ts';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import { inMemory } from '../../src/treebank/treebanks.ts';
import { collect } from '../support/collect.ts';
import { needsShared, sharedPath } from '../support/shared.ts';

/** Figures of the field's own scorers for eight real parsers' output; the README beside it tells how they were made. */
const oracle = (file: string) => sharedPath('oracles', 'dependencies', file);
const gold = sharedPath('treebanks/ud-english-ewt/en_ewt-ud-dev.conllu');

interface Expected {
  readonly 'eval.pl': EvalPlCounts;
  readonly 'eval.pl -p': EvalPlCounts;
  readonly 'ud eval.py F1': Readonly<Record<string, number>>;
}

interface EvalPlCounts {
  readonly scored: number;
  readonly LAS_correct: number;
  readonly UAS_correct: number;
  readonly LA_correct: number;
}

const expected: Record<string, Expected> = needsShared.isPresent
  ? JSON.parse(readFileSync(oracle('expected.json'), 'utf8'))
  : {};

const read = new Map<string, Promise<Treebank>>();

/** A file’s sentences, read once. */
function sentencesOf(path: string, expect: 'trees' | 'heads'): Promise<Treebank> {
  const sentences = async () => inMemory(await collect(await openTreebank(path, { expect })), path);
  const treebank = read.get(path) ?? sentences();
  read.set(path, treebank);
  return treebank;
}

async function score(file: string, punctuation: 'include' | 'conllx'): Promise<EvaluationReport> {
  const right = await sentencesOf(gold, 'trees');
  const predicted = await sentencesOf(oracle(file), 'heads');
  return evaluate(right, predicted, { punctuation });
}

const evalPlCounts = ({ tokens, correct }: EvaluationReport): EvalPlCounts => ({
  scored: tokens,
  LAS_correct: correct.arcs,
  UAS_correct: correct.heads,
  LA_correct: correct.labels,
});

needsShared.describe('the field’s own scorers are reproduced to the last digit', () => {
  test('on eight parsers’ output', () => {
    expect(Object.keys(expected)).toHaveLength(8);
  });

  test.each(Object.keys(expected))('CoNLL-X eval.pl, which leaves punctuation out, on %s', async (file) => {
    expect(evalPlCounts(await score(file, 'conllx'))).toEqual(expected[file]!['eval.pl']);
  });

  test.each(Object.keys(expected))('CoNLL-X eval.pl -p and UD eval.py on %s', async (file) => {
    const report = await score(file, 'include');
    expect(evalPlCounts(report)).toEqual(expected[file]!['eval.pl -p']);
    const rounded = Object.entries(report.ud!).map(([name, f1]) => [
      name.toUpperCase(),
      Number(f1.toFixed(2)),
    ]);
    expect(Object.fromEntries(rounded)).toEqual(expected[file]!['ud eval.py F1']);
  });

  test('several roots, which eval.pl passes over, are counted', async () => {
    const { illFormed } = await score('en_ewt-dev.malt-arc-eager.conllu', 'include');
    expect(illFormed).toEqual({ sentences: 63, cycles: 0, severalRoots: 63, noRoot: 0 });
  });
});
