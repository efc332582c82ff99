import { describe, expect, test } from 'vitest';
import { trainParser } from '../../../combine/train-parser.ts';
import { yamadaMatsumotoOptions } from '../../../parsers/yamada-matsumoto/options.ts';
import { train } from '../../../parsers/yamada-matsumoto/paradigm.ts';
import { YamadaMatsumotoParser } from '../../../parsers/yamada-matsumoto/parser.ts';
import { ModelReader } from '../../../src/model/model-reader.ts';
import { ModelWriter } from '../../../src/model/model-writer.ts';
import type { TrainingRun } from '../../../src/training/training-run.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { isProjective, isTree, roots } from '../../../src/treebank/tree.ts';
import { modelBuffer } from '../../support/model-buffer.ts';
import { sampleSentences } from '../../support/sample-sentences.ts';
import { sentence, treebank } from '../../support/sentences.ts';

async function trained(
  sentences: readonly Sentence[],
  options: Record<string, unknown> = {},
  run: Partial<TrainingRun> = {},
): Promise<YamadaMatsumotoParser> {
  const given = yamadaMatsumotoOptions.parse({ bits: 16, ...options });
  return train(treebank('sample', ...sentences), given, { seed: 7, jobs: 1, ...run });
}

async function modelBytes(options: Record<string, unknown>, run?: Partial<TrainingRun>): Promise<Buffer> {
  const writer = new ModelWriter();
  (await trained(await sampleSentences('train', 12), options, run)).save(writer);
  return Buffer.from(modelBuffer(writer));
}

/** Right heads in percent. */
function accuracy(parser: YamadaMatsumotoParser, sentences: readonly Sentence[]): number {
  let right = 0;
  let all = 0;
  for (const one of sentences) {
    const { heads } = parser.parse(one);
    for (let d = 1; d <= one.length; d++) if (heads[d] === one.heads[d]) right++;
    all += one.length;
  }
  return (100 * right) / all;
}

const variants: readonly Record<string, unknown>[] = [
  {},
  { degree: 1, cost: 1 },
  { degree: 3, context: '1,1' },
  { children: false },
  { childrenOf: 'left', lastAction: true },
  { splitByTag: false },
  { multiclass: 'pairwise' },
  { multiclass: 'crammer-singer', cost: 1 },
  { learner: 'averaged-perceptron' },
];

test.each(variants)(
  'a Yamada–Matsumoto parser (%j) fits its training trees and parses the same after saving and loading',
  async (options) => {
    const sentences = (await sampleSentences('train', 10)).filter(({ heads }) => isProjective(heads));
    const parser = await trained(sentences, options);
    expect(accuracy(parser, sentences)).toBeGreaterThan(95);
    const writer = new ModelWriter();
    parser.save(writer);
    const loaded = YamadaMatsumotoParser.load(ModelReader.fromBuffer(modelBuffer(writer), 'model'));
    for (const one of [...(await sampleSentences('test', 10)), sentence('b', '0')]) {
      const tree = parser.parse(one);
      expect(isTree(tree.heads) && isProjective(tree.heads)).toBe(true);
      expect(roots(tree.heads)).toHaveLength(1);
      expect(tree.labels.slice(1).every((label) => label !== '')).toBe(true);
      expect(loaded.parse(one)).toEqual(tree);
    }
  },
);

describe('training a Yamada–Matsumoto parser', () => {
  test('gives the same model, byte for byte, for the same seed', async () => {
    const bytes = await modelBytes({});
    expect((await modelBytes({})).equals(bytes)).toBe(true);
    expect((await modelBytes({}, { seed: 8 })).equals(bytes)).toBe(false);
  });

  test('stops on a signal', async () => {
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    const training = trained(
      await sampleSentences('train', 40),
      {},
      { signal: controller.signal, onProgress },
    );
    await expect(training).rejects.toThrow(controller.signal.reason);
  });

  test('stops on a signal while examples are collected', async () => {
    const controller = new AbortController();
    const told: unknown[] = [];
    const crossed = sentence('a b c d', '3 4 0 3', { upos: 'A B C D', labels: 'w x y z' });
    const run: Partial<TrainingRun> = {
      signal: controller.signal,
      onNotice: (notice) => {
        if (notice.includes('made projective')) controller.abort();
      },
      onProgress: (progress) => told.push(progress),
    };
    await expect(trained([crossed], {}, run)).rejects.toThrow(controller.signal.reason);
    expect(told).toEqual([]);
  });

  test('reports its progress and, at the end, the score on held-out data', async () => {
    const told: { done: number; uas: number | undefined }[] = [];
    const sentences = await sampleSentences('train', 16);
    const onProgress: TrainingRun['onProgress'] = ({ done, dev }) => told.push({ done, uas: dev?.uas });
    const dev = treebank('dev', ...sentences);
    await trainParser('yamada-matsumoto', treebank('sample', ...sentences), {
      options: { bits: 16 },
      dev,
      onProgress,
    });
    expect(told.map(({ done }) => done)).toEqual(told.map(({ done }) => done).sort((a, b) => a - b));
    expect(told.slice(0, -1).every(({ uas }) => uas === undefined)).toBe(true);
    expect(told.at(-1)!.done).toBe(sentences.length);
    expect(told.at(-1)!.uas).toBeGreaterThan(95);
  });

  test('ignores forms that are no more frequent than the option rare', async () => {
    const [first, second] = ['a b', 'd b'].map((forms) => sentence(forms, '2 0', { upos: 'X X' }));
    const other = sentence('c b', '0 1', { upos: 'X X' });
    const headsOf = async (options: Record<string, unknown>) =>
      (await trained([first, second, other], { cost: 1, ...options })).parse(other).heads;
    expect(await headsOf({})).toEqual(other.heads);
    expect(await headsOf({ rare: 1 })).toEqual(first.heads);
  });

  test('refuses options of support vector machines for a perceptron', async () => {
    const training = trained([sentence('a b', '2 0')], { learner: 'averaged-perceptron', cost: 1 });
    await expect(training).rejects.toThrow('cost 1 does not go with learner averaged-perceptron');
  });

  test('makes trees projective, with a notice', async () => {
    const notices: string[] = [];
    const crossed = sentence('a b c d', '3 4 0 3', { upos: 'A B C D', labels: 'w x y z' });
    const parser = await trained([crossed], {}, { onNotice: (notice) => notices.push(notice) });
    expect(notices).toContain('1 sentence made projective for training by moving 1 arc up');
    expect([...parser.parse(crossed).heads]).toEqual([-1, 3, 3, 0, 3]);
  });

  test('allows several roots in a parse if the training trees have them', async () => {
    const two = sentence('a b', '0 0', { upos: 'X X', labels: 'root root' });
    const parser = await trained([two]);
    expect(parser.parse(two)).toMatchObject({ heads: two.heads, labels: ['', 'root', 'root'] });
  });

  test('is possible with a single token, and the parser then also parses longer sentences', async () => {
    const parser = await trained([sentence('a', '0', { labels: 'root' })]);
    expect(parser.parse(sentence('b', '0'))).toMatchObject({
      heads: Int32Array.of(-1, 0),
      labels: ['', 'root'],
    });
    expect(isTree(parser.parse(sentence('b c d', '0 1 1')).heads)).toBe(true);
  });

  test('on a treebank without labels gives parses without labels', async () => {
    const bare = sentence('a b c', '2 0 2', { upos: 'X Y Z' });
    const parser = await trained([bare]);
    expect(parser.parse(bare)).toMatchObject({ heads: bare.heads, labels: ['', '_', '_', '_'] });
  });

  test('uses nothing outside the window', async () => {
    // The head of b depends on the fourth word after the pair a b.
    const left = sentence('a b v w x y', '3 1 6 6 6 0');
    const right = sentence('a b v w x z', '3 3 6 6 6 0');
    const wide = await trained([left, right], { context: '0,4' });
    const narrow = await trained([left, right], { context: '0,3' });
    expect(accuracy(wide, [left, right])).toBe(100);
    expect(accuracy(narrow, [left, right])).toBeLessThan(100);
  });

  test('gives a parser that can parse unseen words and tags', async () => {
    const parser = await trained(await sampleSentences('train', 12));
    const { heads, labels } = parser.parse(sentence('ξ ψ ω', '2 0 2', { upos: 'Q R S', xpos: 'q r s' }));
    expect(isTree(heads)).toBe(true);
    expect(labels.slice(1).every((label) => label !== '')).toBe(true);
  });

  test('a sentence longer than maxLength is parsed in chunks, with a notice', async () => {
    const parser = await trained(await sampleSentences('train', 200), { maxLength: 12 });
    const long = (await sampleSentences('dev', 20)).find(({ length }) => length > 16)!;
    const { heads, notices } = parser.parse(long);
    expect(notices).toEqual([`${long.length} tokens, parsed in chunks of 12`]);
    expect(isTree(heads)).toBe(true);
    expect(roots(heads)).toHaveLength(1);
  });
});
