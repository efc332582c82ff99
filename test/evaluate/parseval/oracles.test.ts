import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type PhraseFigures,
  type PhraseOptions,
  scorePhrases,
} from '../../../src/evaluate/parseval/score-phrases.ts';
import { precisionRecall } from '../../../src/evaluate/percent.ts';
import type { BracketedSentence } from '../../../src/treebank/phrases/phrase-tree.ts';
import { openTreebank, phraseTrees } from '../../../src/treebank/reading/treebank-file.ts';
import { needsShared, sharedPath } from '../../support/shared.ts';

/**
 * The figures of EVALB and CS 224N's `LabeledConstituentEval` for two grammars' output; the README beside it tells
 * how they were made.
 */
const oracle = (file: string) => sharedPath('oracles', 'brackets', file);

type Printed = Readonly<Record<string, number>>;

const expected: Record<
  string,
  {
    readonly 'evalb COLLINS.prm': { readonly all: Printed; readonly 'length<=40': Printed };
    readonly 'set scorer, ROOT and punctuation left out': {
      readonly all: Printed;
      readonly 'length<=20': Printed;
    };
  }
> = needsShared.isPresent ? JSON.parse(readFileSync(oracle('expected.json'), 'utf8')) : {};

const trees = async (file: string) => phraseTrees(await openTreebank(oracle(file)));

async function score(file: string, options: PhraseOptions) {
  return scorePhrases(await trees('gold.mrg'), await trees(file), options);
}

const rounded = (figures: Readonly<Record<string, number>>): Printed =>
  Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, Number(figure.toFixed(2))]));

/** A report under EVALB's names; without sentences left out, all are valid. */
const asEvalb = (figures: PhraseFigures): Printed =>
  rounded({
    'Number of sentence': figures.sentences,
    'Number of Error sentence': 0,
    'Number of Skip  sentence': 0,
    'Number of Valid sentence': figures.sentences,
    'Bracketing Recall': figures.recall,
    'Bracketing Precision': figures.precision,
    'Bracketing FMeasure': figures.f1,
    'Complete match': figures.exactMatch,
    'Average crossing': figures.averageCrossing,
    'No crossing': figures.noCrossing,
    '2 or less crossing': figures.twoOrLessCrossing,
    'Tagging accuracy': figures.taggingAccuracy,
  });

const asSets = ({ sentences: n, precision: P, recall: R, f1: F1, exactMatch: EX }: PhraseFigures) =>
  rounded({ n, P, R, F1, EX });

needsShared.describe('the field’s own scorers are reproduced to the last digit', () => {
  test('on two grammars’ output', () => {
    expect(Object.keys(expected)).toHaveLength(2);
  });

  test.each(Object.keys(expected))('EVALB with COLLINS.prm on %s', async (file) => {
    const report = await score(file, { scorer: 'evalb' });
    expect(report.leftOut).toEqual({ tooLong: 0, malformed: 0, mismatched: 0, withoutWords: 0 });
    expect(asEvalb(report)).toEqual(expected[file]!['evalb COLLINS.prm'].all);
    expect(asEvalb(report.upTo40!)).toEqual(expected[file]!['evalb COLLINS.prm']['length<=40']);
  });

  test.each(Object.keys(expected))('--max-length 40 is EVALB’s cut-off, on %s', async (file) => {
    const report = await score(file, { maxLength: 40 });
    expect(asEvalb(report)).toEqual(expected[file]!['evalb COLLINS.prm']['length<=40']);
  });

  test.each(Object.keys(expected))('LabeledConstituentEval on %s', async (file) => {
    const figures = expected[file]!['set scorer, ROOT and punctuation left out'];
    expect(asSets(await score(file, { scorer: 'sets' }))).toEqual(figures.all);
    expect(asSets(await score(file, { scorer: 'sets', maxLength: 20 }))).toEqual(figures['length<=20']);
  });
});

/** The treebank's files 0160–0179, of which gold.mrg is the cleaned form. */
async function* uncleaned(): AsyncGenerator<BracketedSentence> {
  for (let file = 160; file < 180; file++) {
    yield* phraseTrees(await openTreebank(sharedPath(`treebanks/ptb-sample/bracketed/wsj_0${file}.mrg`)));
  }
}

needsShared.test(
  'gold trees with traces and function tags give the same figures as cleaned ones',
  async () => {
    for (const scorer of ['evalb', 'sets'] as const) {
      const file = 'pcfg-v2h1.mrg';
      expect(await scorePhrases(uncleaned(), await trees(file), { scorer })).toEqual(
        await score(file, { scorer }),
      );
    }
  },
);

test.each([
  { precision: 81.31, recall: 75.58, f1: 78.34 },
  { precision: 83.71, recall: 81.33, f1: 82.5 },
])('F1 is that of Gong & Kuang (2014, table 1): $precision and $recall give $f1', (published) => {
  const { precision, recall } = published;
  expect(precisionRecall(recall, 100, precision, 100).f1).toBeCloseTo(published.f1, 2);
});
