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

/** Several files as one treebank, which is read only once. */
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

needsShared.describe('the constituency parser on the Penn Treebank sample', () => {
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

  /** Long sentences take most of the time. The figures for up to 25 words are measurements of this program. */
  const short = { maxLength: 25 } as const;

  it('a plain grammar of vertical order 2 and horizontal order 1 reaches an EVALB F1 of 81.1', async () => {
    expect(await f1({ vertical: 2, horizontal: '1', binarize: 'right', splits: [] }, short)).toBeGreaterThan(
      81.1,
    );
  });

  it('the default options reach the F1 of docs/phrases.md, and pruned search is as good', async () => {
    expect(await f1({})).toBeCloseTo(83.91, 1);
    expect(await f1({ search: 'pruned' }, short)).toBeCloseTo(86.57, 1);
  });

  it('a grammar whose symbols are split by EM alone reaches an EVALB F1 of 85.3', async () => {
    expect(await f1({ splitMerge: 1 }, short)).toBeGreaterThan(85.2);
  });

  it('the grammars of Gong & Kuang (2014) reach the F1 of docs/phrases.md', async () => {
    const lossless: Partial<PcfgOptions> = { binarize: 'left', horizontal: 'inf', splits: [] };
    const sets = { scorer: 'sets', maxLength: 20 } as const;
    expect(await f1({ ...lossless, vertical: 1 }, sets)).toBeCloseTo(75.35, 1);
    expect(await f1({ ...lossless, vertical: 2 }, sets)).toBeCloseTo(81.13, 1);
  });
});
