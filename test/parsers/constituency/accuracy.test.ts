import { beforeAll, expect, it } from 'vitest';
import { type PcfgOptions, pcfgOptions } from '../../../parsers/constituency/options.ts';
import { pcfg } from '../../../parsers/constituency/paradigm.ts';
import { type PhraseOptions, scorePhrases } from '../../../src/evaluate/parseval/score-phrases.ts';
import { openTreebank } from '../../../src/treebank/reading/treebank-file.ts';
import type { Sentence, Treebank } from '../../../src/treebank/sentence.ts';
import { pennFiles } from '../../support/real-brackets.ts';
import { needsShared } from '../../support/shared.ts';

const trainFiles = pennFiles(1, 159);
const testFiles = pennFiles(160, 179);

/** Several files as one, read once. */
async function readAll(files: readonly string[]): Promise<Treebank & { readonly sentences: Sentence[] }> {
  const sentences: Sentence[] = [];
  for (const file of files) for await (const one of await openTreebank(file)) sentences.push(one);
  return {
    name: 'wsj.mrg',
    sentences,
    async *[Symbol.asyncIterator]() {
      yield* sentences;
    },
  };
}

needsShared.describe('on the Penn Treebank sample', () => {
  let data: Awaited<ReturnType<typeof readAll>>;
  let test: Sentence[];
  beforeAll(async () => {
    data = await readAll(trainFiles);
    test = (await readAll(testFiles)).sentences;
  });

  async function f1(options: Partial<PcfgOptions>, scoring: PhraseOptions = {}): Promise<number> {
    const parser = await pcfg.train(data, pcfgOptions.parse(options), { seed: 1, jobs: 1 });
    const { maxLength = Number.POSITIVE_INFINITY } = scoring;
    const scored = test.filter(({ length }) => length <= maxLength);
    const gold = scored.map(({ phrases }) => ({ tree: phrases! }));
    const found = scored.map((sentence) => ({ tree: parser.parse(sentence).phrases! }));
    return (await scorePhrases(gold, found, scoring)).f1;
  }

  it('a plain grammar of vertical order 2 and horizontal order 1 reaches an EVALB F1 of 76.3', async () => {
    expect(await f1({ vertical: 2, horizontal: '1', binarize: 'right', splits: [] })).toBeGreaterThan(76.3);
  });

  it('the standard options have the figures of docs/phrases.md, with exact search and with pruned', async () => {
    expect(await f1({})).toBeCloseTo(83.91, 1);
    expect(await f1({ search: 'pruned' })).toBeCloseTo(83.97, 1);
  });

  it('symbols split twice by EM make an EVALB F1 of 85 of it', async () => {
    expect(await f1({ splitMerge: 2 })).toBeGreaterThan(84.8);
  });

  it('the grammars of Gong & Kuang (2014) have the figures of docs/phrases.md', async () => {
    const lossless: Partial<PcfgOptions> = { binarize: 'left', horizontal: 'inf', splits: [] };
    const sets = { scorer: 'sets', maxLength: 20 } as const;
    expect(await f1({ ...lossless, vertical: 1 }, sets)).toBeCloseTo(75.35, 1);
    expect(await f1({ ...lossless, vertical: 2 }, sets)).toBeCloseTo(81.13, 1);
  });
});
