import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { trainParser } from '../../../combine/train-parser.ts';
import type { BigramParser } from '../../../parsers/bigram/bigram-parser.ts';
import { type BigramOptions, bigramOptions } from '../../../parsers/bigram/options.ts';
import { bigram } from '../../../parsers/bigram/paradigm.ts';
import { ModelReader } from '../../../src/model/model-reader.ts';
import { ModelWriter } from '../../../src/model/model-writer.ts';
import { packageFolder } from '../../../src/platform/package.ts';
import type { TrainingProgress } from '../../../src/training/training-run.ts';
import { openTreebank } from '../../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { isProjective, isTree, roots } from '../../../src/treebank/tree.ts';
import { modelBuffer } from '../../support/model-buffer.ts';
import { sentence, treebank } from '../../support/sentences.ts';
import { needsShared, sharedPath } from '../../support/shared.ts';

async function read(path: string): Promise<Sentence[]> {
  const sentences: Sentence[] = [];
  for await (const one of await openTreebank(path)) sentences.push(one);
  return sentences;
}

const sample = (part: string) => read(join(packageFolder, 'data', 'sample', `${part}.conllu`));

function trained(sentences: readonly Sentence[], options: Partial<BigramOptions> = {}, seed = 7) {
  return bigram.train(treebank('sample', ...sentences), bigramOptions.parse(options), { seed, jobs: 1 });
}

type Trained = Awaited<ReturnType<typeof trained>>;

function saved(parser: Trained): SharedArrayBuffer {
  const writer = new ModelWriter();
  parser.save(writer);
  return modelBuffer(writer);
}

/** Shares, in percent, of tokens with the right head, and with the right head and label. */
function accuracy(parser: Trained, gold: readonly Sentence[]): { uas: number; las: number } {
  let tokens = 0;
  let headsRight = 0;
  let bothRight = 0;
  for (const one of gold) {
    const { heads, labels } = parser.parse(one);
    tokens += one.length;
    for (let d = 1; d <= one.length; d++) {
      if (heads[d] !== one.heads[d]) continue;
      headsRight++;
      if (labels[d] === one.labels[d]) bothRight++;
    }
  }
  return { uas: (100 * headsRight) / tokens, las: (100 * bothRight) / tokens };
}

const kinds: Partial<BigramOptions>[] = [
  { estimate: 'interpolated' },
  { estimate: 'interpolated', decoder: 'chu-liu-edmonds' },
  { estimate: 'interpolated', decoder: 'greedy' },
  { estimate: 'zeman' },
  { estimate: 'zeman', decoder: 'eisner' },
];

describe.each(kinds)('the bigram parser with %j', (options) => {
  let sentences: Sentence[];
  let parser: Trained;
  beforeAll(async () => {
    sentences = (await sample('train')).slice(0, 12);
    parser = await trained(sentences, options);
  });

  test('training twice gives the same model, byte for byte', async () => {
    const again = await trained(sentences, options);
    expect(Buffer.from(saved(again)).equals(Buffer.from(saved(parser)))).toBe(true);
  });

  test('a model that was saved and loaded parses as before', async () => {
    const loaded = bigram.load(ModelReader.fromBuffer(saved(parser), 'model'));
    for (const one of (await sample('test')).slice(0, 10))
      expect(loaded.parse(one)).toEqual(parser.parse(one));
  });

  test('every parse is a tree with one root if the training trees have one', async () => {
    for (const one of (await sample('test')).slice(0, 15)) {
      const { heads, labels } = parser.parse(one);
      expect(isTree(heads)).toBe(true);
      expect(roots(heads)).toHaveLength(1);
      if (options.decoder !== 'chu-liu-edmonds') expect(isProjective(heads)).toBe(true);
      expect(labels).toHaveLength(one.length + 1);
      expect(labels.slice(1)).not.toContain('');
    }
  });

  test('a sentence of 600 tokens is parsed in chunks, with a notice', () => {
    const words = Array(600).fill('the');
    const long = sentence(words.join(' '), words.map((_, i) => i).join(' '), {
      upos: words.map(() => 'DET').join(' '),
    });
    const { heads, notices } = parser.parse(long);
    expect(isTree(heads)).toBe(true);
    expect(notices).toEqual(['600 tokens, parsed in chunks of 500']);
  });
});

describe('the bigram parser', () => {
  let train: Sentence[];
  let unseen: Sentence[];
  let parser: Trained;
  const heard: TrainingProgress[] = [];
  beforeAll(async () => {
    [train, unseen] = [await sample('train'), await sample('test')];
    ({ parser } = await trainParser('bigram', treebank('sample', ...train), {
      seed: 7,
      dev: treebank('held out', ...unseen),
      onProgress: (progress) => heard.push(progress),
    }));
  });

  test('finds more right heads and labels in unseen sentences than the DZ estimate', async () => {
    const zeman = accuracy(await trained(train, { estimate: 'zeman' }), unseen);
    const { uas, las } = accuracy(parser, unseen);
    expect(uas).toBeGreaterThan(zeman.uas + 5);
    expect(las).toBeGreaterThan(zeman.las + 5);
  });

  test('reports progress from zero to all sentences, and finally its scores on held-out data', () => {
    const done = heard.map((progress) => progress.done);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(done.length).toBeGreaterThanOrEqual(9);
    expect(done[0]).toBe(0);
    const dev = accuracy(parser, unseen);
    expect(heard.at(-1)).toMatchObject({ epoch: 1, epochs: 1, done: train.length, dev });
  });

  test('can be trained on a single sentence, and parses a sentence of unknown tokens', async () => {
    const parser = await trained([sentence('a b', '2 0', { upos: 'D N', labels: 'det root' })]);
    expect(isTree(parser.parse(sentence('x y z', '0 1 1')).heads)).toBe(true);
  });

  test.each(['interpolated', 'zeman'] as const)(
    'stops in the middle of training (%s) on a signal, without a result',
    async (estimate) => {
      const controller = new AbortController();
      const done: number[] = [];
      const onProgress = (progress: TrainingProgress) => {
        done.push(progress.done);
        // The signal comes from the event loop, as from Ctrl-C.
        if (progress.done > 0) setImmediate(() => controller.abort());
      };
      const run = { seed: 7, jobs: 1, signal: controller.signal, onProgress };
      const training = bigram.train(treebank('sample', ...train), bigramOptions.parse({ estimate }), run);
      await expect(training).rejects.toThrow('aborted');
      expect(done.at(-1)).toBeLessThan(train.length);
    },
  );

  test('refuses lambda with the interpolated estimate', async () => {
    const message = 'lambda 0.5 goes with estimate zeman, not with interpolated';
    await expect(trained(train, { lambda: 0.5 })).rejects.toThrow(message);
  });

  test('reads only the columns that are filled in its training data', async () => {
    const parser = await trained([
      sentence('a b', '2 0', { upos: 'D N', lemmas: 'a b' }),
      sentence('b', '0', { upos: 'N', lemmas: 'b' }),
    ]);
    expect(parser.reads).toEqual(['lemmas', 'upos']);
  });
});

describe('the estimate of the DZ parser', () => {
  test('follows its formula on a treebank counted by hand', async () => {
    // Of the two arcs from an N to a D on its left, one joins neighbours and one has a word between.
    const sentences = [
      sentence('a b', '2 0', { upos: 'D N', lemmas: 'a b' }),
      sentence('a c b', '3 3 0', { upos: 'D A N', lemmas: 'a c b' }),
    ];
    const { columns, scores } = await scoresOf(
      sentences,
      sentence('a b', '2 0', { upos: 'D N', lemmas: 'a b' }),
    );
    const lambda = 0.734375;
    // c(a ← b, neighbours) = 1 of c(a) = 2; the same for the tags D and N.
    expect(scores[2 * columns + 1]).toBeCloseTo(
      Math.log((lambda * 1) / 2 + ((1 - lambda) * (1 + 1)) / (2 + 1)),
      5,
    );
    // Never seen under the root, one token away from it.
    expect(scores[1]).toBeCloseTo(Math.log(((1 - lambda) * 1) / (2 + 1)), 5);
    // b is always under the root: two tokens away, not as its neighbour, in a sentence without a verb.
    expect(scores[2]).toBeCloseTo(
      Math.log((lambda * 2) / 2 + ((1 - lambda) * (2 + 1)) / (2 + 1)) - Math.log(2),
      5,
    );
  });
});

async function scoresOf(sentences: readonly Sentence[], one: Sentence) {
  const parser = await trained(sentences, { estimate: 'zeman' });
  return { columns: one.length + 1, scores: (parser as BigramParser).scores(one) };
}

const cltt = (part: string) => sharedPath('treebanks', 'ud-czech-cltt', `cs_cltt-ud-${part}.conllu`);

needsShared.describe('the bigram parser on UD Czech CLTT', () => {
  test('is as good as the original DZ parser with its estimate, and far better by default', {
    timeout: 300_000,
  }, async () => {
    const train = await read(cltt('train'));
    const dev = await read(cltt('dev'));
    const short = dev.filter(({ length }) => length <= 25).slice(0, 60);
    expect(accuracy(await trained(train, { estimate: 'zeman' }), short).uas).toBeGreaterThan(66.81);
    // The default is as good without long training sentences.
    const notLong = train.filter(({ length }) => length <= 25);
    expect(accuracy(await trained(notLong), short).uas).toBeGreaterThan(85);
  });
});
