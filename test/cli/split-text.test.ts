import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alignedMetrics } from '../../src/evaluate/attachment/ud-counts.ts';
import { conlluSentence } from '../support/conllu.ts';
import { runHere } from '../support/run-in-process.ts';
import { needsShared, sharedPath } from '../support/shared.ts';

const files = {
  'gold.conllu': [
    'Ann/PROPN/2/nsubj sleeps/VERB/0/root ./PUNCT/2/punct',
    'She/PRON/2/nsubj dreams/VERB/0/root',
  ],
  // One token instead of two, one sentence instead of two.
  'split.conllu': ['Ann/PROPN/2/nsubj sleeps./VERB/0/root She/PRON/4/nsubj dreams/NOUN/2/dep'],
  'same.conllu': [
    'Ann/PROPN/2/nsubj sleeps/VERB/0/root ./PUNCT/1/punct',
    'She/PRON/2/nsubj dreams/VERB/0/root',
  ],
  'merged.conllu': [
    'Ann/PROPN/2/nsubj sleeps/VERB/0/root ./PUNCT/2/punct She/PRON/5/nsubj dreams/VERB/2/conj',
  ],
  'other.conllu': [
    'Ann/PROPN/2/nsubj wakes/VERB/0/root ./PUNCT/2/punct',
    'She/PRON/2/nsubj dreams/VERB/0/root',
  ],
  'short.conllu': ['Ann/PROPN/2/nsubj sleeps/VERB/0/root ./PUNCT/2/punct'],
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parliament-split-'));
  for (const [name, sentences] of Object.entries(files)) {
    writeFileSync(join(folder, name), sentences.map(conlluSentence).join(''));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const parliament = (...args: string[]) => runHere(args, { cwd: folder });

const reportsOf = async (...args: string[]) =>
  JSON.parse((await parliament('evaluate', '--json', ...args)).stdout);

describe('parliament evaluate on text that is split differently from gold', () => {
  test('prints scores by aligned words, and all of UD’s metrics', async () => {
    const { status, stdout, stderr } = await parliament('evaluate', 'gold.conllu', 'split.conllu');
    expect(status).toBe(0);
    expect(stderr).toBe(
      'parliament: warning: split.conllu: the text is split differently from gold ' +
        '(F1: 66.67% of the words, 0.00% of the sentences): aligned words are scored\n',
    );
    // Three of gold's five words are found; only “She” has the same head and the same label.
    expect(stdout).toMatch(/\nsplit\.conllu +2 +5 +22\.22 +22\.22 +44\.44 +0\.00 +0\.00 /);
    expect(stdout).toMatch(/\nmetric +precision +recall +F1 +aligned\n/);
    expect(stdout).toMatch(/\nWords +75\.00 +60\.00 +66\.67 +–\n/);
    expect(stdout).toMatch(/\nUPOS +50\.00 +40\.00 +44\.44 +66\.67\n/);
    expect(stdout).toMatch(/\nLemmas +– +– +– +–\n/);
  });

  test('puts files of both kinds into one table, with unchanged scores for those with gold’s tokens', async () => {
    const { stdout } = await parliament('evaluate', 'gold.conllu', 'split.conllu', 'same.conllu');
    expect(stdout).toMatch(/\nsplit\.conllu +2 +5 +22\.22 .*\nsame\.conllu +2 +5 +80\.00 /);
    expect(stdout).toMatch(
      /\nmetric +split +same\n─.*\nTokens +66\.67 +100\.00\nSentences +0\.00 +100\.00\n/,
    );
    const alone = await parliament('evaluate', 'gold.conllu', 'same.conllu');
    expect(alone.stderr).toBe('');
    expect(alone.stdout).not.toContain('metric');
    const [, same] = await reportsOf('gold.conllu', 'split.conllu', 'same.conllu');
    expect(await reportsOf('gold.conllu', 'same.conllu')).toEqual([same]);
  });

  test('prints the same fields with --json, and the counts of both sides for every metric', async () => {
    const [report] = await reportsOf('gold.conllu', 'split.conllu');
    expect(report).toMatchObject({
      ...{ file: 'split.conllu', sentences: 2, tokens: 5, predictedTokens: 4 },
      ...{ uas: 200 / 9, las: 200 / 9, laa: 400 / 9, rootAccuracy: 0, completeRate: 0 },
      text: {
        Tokens: { gold: 5, predicted: 4, correct: 3, precision: 75, recall: 60 },
        Sentences: { gold: 2, predicted: 1, correct: 0, f1: 0 },
        UAS: { correct: 1, aligned: 3, alignedAccuracy: 100 / 3 },
        BLEX: { f1: null },
      },
    });
    expect(Object.keys(report.text)).toEqual([...alignedMetrics]);
  });

  test('leaves out gold’s punctuation and the predicted punctuation that gold lacks', async () => {
    writeFileSync(
      join(folder, 'dots.conllu'),
      conlluSentence(
        'Ann/PROPN/2/nsubj sleeps/VERB/0/root ./PUNCT/2/punct She/PRON/5/nsubj dreams/VERB/2/dep',
      ),
    );
    const score = ['--punctuation', 'exclude', '--by', 'tag'];
    const [forth] = await reportsOf('gold.conllu', 'split.conllu', ...score);
    expect([forth.tokens, forth.predictedTokens, forth.punctuation.excluded]).toEqual([4, 4, 1]);
    const [back] = await reportsOf('split.conllu', 'dots.conllu', ...score);
    // “sleeps” counts though gold has no such word, “.” does not.
    expect([back.tokens, back.predictedTokens]).toEqual([4, 4]);
    const predicted = forth.breakdowns.tag.map((row: { bucket: string; predicted: number }) => [
      row.bucket,
      row.predicted,
    ]);
    expect(Object.fromEntries(predicted)).toEqual({ PROPN: 1, VERB: 2, PRON: 1 });
  });

  test('reads either side from standard input', async () => {
    for (const [words, file] of [
      [['-', 'split.conllu'], 'gold.conllu'],
      [['gold.conllu', '-'], 'split.conllu'],
    ] as const) {
      const input = readFileSync(join(folder, file), 'utf8');
      const { stdout } = await runHere(['evaluate', '--json', ...words], { cwd: folder, input });
      expect(JSON.parse(stdout)).toMatchObject([{ uas: 200 / 9 }]);
    }
  });

  test('says what CSV leaves out', async () => {
    const { stderr } = await parliament('evaluate', 'gold.conllu', 'split.conllu', '--to', 'csv');
    expect(stderr).toMatch(/note: CSV leaves out the scores of UD's eval\.py; --json has them\n$/);
  });

  test('refuses a different text, and names the first place where it differs', async () => {
    const { status, stdout, stderr } = await parliament('evaluate', 'split.conllu', 'other.conllu');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      'parliament: error: split.conllu:2: token 2 is “sleeps.”, but other.conllu:2 has “wakes”\n',
    );
    expect((await parliament('evaluate', 'split.conllu', 'short.conllu')).stderr).toBe(
      'parliament: error: split.conllu:3: the text continues with “Shedreams”, but short.conllu ends ' +
        'before it\n',
    );
  });
});

describe('parliament compare on text that is split differently from gold', () => {
  const compare = (...args: string[]) => parliament('compare', 'gold.conllu', ...args, '--rounds', '99');

  test('scores, tests and breaks down by aligned words, and says that there is no vote', async () => {
    const { status, stdout, stderr } = await compare('same.conllu', 'split.conllu', '--all');
    expect(status).toBe(0);
    expect(stderr).toContain('parliament: warning: no vote: split split the text differently from gold');
    expect(stdout).toMatch(/\nsplit +22\.22 +\S+ … \S+ +22\.22 /);
    expect(stdout).toMatch(/\nsame +split +UAS +\+57\.78 /);
    expect(stdout).toMatch(/\nmetric +same +split\n/);
    expect(stdout).toMatch(/\nVERB +root of the sentence +no such word +0 +1\n/);
    expect(stdout).toMatch(/\nPROPN +nsubj of VERB, right +nsubj of a word elsewhere +0 +1\n/);
    expect(stdout).not.toContain('Their vote');
  });

  test('has a vote of the parsers that have gold’s words', async () => {
    const { stdout } = await compare('same.conllu', 'gold.conllu', 'split.conllu', '--members', 'same,gold');
    expect(stdout).toContain('Their vote, equal weights');
  });

  test('gives every figure with --json and --format csv', async () => {
    const { stdout } = await compare('same.conllu', 'split.conllu', '--json');
    const { parsers, significance, vote } = JSON.parse(stdout);
    expect(parsers[1].report.text.Words).toMatchObject({ gold: 5, predicted: 4, correct: 3 });
    expect(significance.pairs[0].tests.uas.difference).toBeCloseTo(80 - 200 / 9, 10);
    expect(vote).toBeUndefined();
    const { stdout: csv } = await compare('same.conllu', 'split.conllu', '--format', 'csv');
    expect(csv).toContain('text,Words,split,correct,3\r\n');
    expect(csv).not.toContain('text,Words,same');
  });

  test('says whether the tags in the file of each parser are gold or predicted', async () => {
    const { stdout } = await compare('same.conllu', 'split.conllu');
    expect(stdout).toMatch(/\nparser +tags +UPOS +XPOS +features\n─.*\n/);
    expect(stdout).toMatch(/\nsame +gold +100\.00 +100\.00 +–\n/);
    expect(stdout).toMatch(/\nsplit +predicted +66\.67 +66\.67 +–\n/);
    const { stdout: json } = await compare('same.conllu', 'split.conllu', '--json');
    const tags = JSON.parse(json).parsers.map((parser: { report: { tags: unknown } }) => parser.report.tags);
    expect(tags).toEqual([
      { source: 'gold', upos: 100, xpos: 100, feats: null },
      { source: 'predicted', upos: 200 / 3, xpos: 200 / 3, feats: null },
    ]);
    const { stdout: all } = await compare('same.conllu', 'gold.conllu');
    expect(all).toContain('Tags: gold, in the files of all parsers.');
    const page = (await compare('same.conllu', 'split.conllu', '--html', '-', '--quiet')).stdout;
    expect(page).toMatch(/<td>gold<\/td>/);
    expect(page).toMatch(/<td>predicted, UPOS 66\.67<\/td>/);
  });
});

describe('parliament vote on files with different tokens', () => {
  const place = /error: \w+\.conllu:\d: token 2 is “sleeps\.?”, but \w+\.conllu:\d has “sleeps\.?”\n$/;

  test.each([
    ['same.conllu split.conllu'],
    ['split.conllu same.conllu gold.conllu'],
    ['same.conllu gold.conllu --dev-gold gold.conllu --dev same.conllu split.conllu'],
    ['same.conllu gold.conllu --dev-gold split.conllu --dev same.conllu gold.conllu'],
    ['--explain same.conllu split.conllu --gold gold.conllu'],
    ['--explain same.conllu gold.conllu --gold split.conllu'],
    ['--search --dev-gold gold.conllu --dev same.conllu split.conllu'],
    ['same.conllu split.conllu --dev-gold gold.conllu --cross-validate 2'],
  ])('names the place where the tokens differ: vote %s', async (words) => {
    const { status, stdout, stderr } = await parliament('vote', '--quiet', ...words.split(' '));
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(place);
    expect(stderr.split('\n')).toHaveLength(2);
  });

  test('names the place where the sentences differ', async () => {
    const { status, stderr } = await parliament('vote', 'gold.conllu', 'merged.conllu');
    expect(status).toBe(2);
    expect(stderr).toBe(
      'parliament: error: gold.conllu:1: the sentence ends after 3 tokens, but merged.conllu:4 has token 4, “She”\n',
    );
  });
});

/** As UD's own script prints them: shares, not percentages. */
type Expected = Record<
  string,
  Record<'f1' | 'precision' | 'recall', number> & { aligned_accuracy: number | null }
>;

needsShared.test(
  'the scores of a real tokenizer’s output equal those of UD’s eval.py to the last digit',
  async () => {
    const raw = (file: string) => sharedPath('oracles', 'raw-text', file);
    const gold = sharedPath('treebanks', 'ud-english-ewt', 'en_ewt-ud-dev.conllu');
    const [report] = await reportsOf(gold, raw('udpipe-tokens.conllu'));
    const expected = JSON.parse(readFileSync(raw('expected.json'), 'utf8')) as Expected;
    for (const [name, { precision, recall, f1, aligned_accuracy }] of Object.entries(expected)) {
      const found = report.text[name];
      expect(found.precision / 100).toBeCloseTo(precision, 14);
      expect(found.recall / 100).toBeCloseTo(recall, 14);
      expect(found.f1 / 100).toBeCloseTo(f1, 14);
      if (aligned_accuracy === null) expect(found.alignedAccuracy).toBeNull();
      else expect(found.alignedAccuracy / 100).toBeCloseTo(aligned_accuracy, 14);
    }
    expect(report.uas / 100).toBeCloseTo(expected.UAS.f1, 14);
  },
);
