import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { trainParser } from '../../../combine/train-parser.ts';
import { graphOptions } from '../../../parsers/graph/options.ts';
import { graph } from '../../../parsers/graph/paradigm.ts';
import { ModelReader } from '../../../src/model/model-reader.ts';
import { ModelWriter } from '../../../src/model/model-writer.ts';
import { packageFolder } from '../../../src/platform/package.ts';
import type { TrainingRun } from '../../../src/training/training-run.ts';
import type { TreebankPart } from '../../../src/treebank/catalogue.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { KeptCheckpoint } from '../../support/kept-checkpoint.ts';
import { modelBuffer } from '../../support/model-buffer.ts';
import { startModule } from '../../support/module-process.ts';
import { sampleText } from '../../support/sample.ts';
import { sampleSentences } from '../../support/sample-sentences.ts';
import { treebank } from '../../support/sentences.ts';

async function modelBytes(options: object, run: Partial<TrainingRun> = {}, sentences?: readonly Sentence[]) {
  const learnt = treebank('sample', ...(sentences ?? (await sampleSentences('train', 30))));
  const all = graphOptions.parse({ epochs: 2, bits: 12, ...options });
  const writer = new ModelWriter();
  (await graph.train(learnt, all, { seed: 7, jobs: 1, ...run })).save(writer);
  return Buffer.from(modelBuffer(writer));
}

const repeated = (sentences: readonly Sentence[], times: number) =>
  sentences.flatMap((one) => Array<Sentence>(times).fill(one));

afterEach(() => {
  vi.restoreAllMocks();
});

describe('training in shards', () => {
  test('gives with one shard the same model as without shards', async () => {
    expect((await modelBytes({ shards: 1 })).equals(await modelBytes({}))).toBe(true);
  });

  test('puts every nth sentence into a shard and averages their updates: copies give the same model', async () => {
    const some = await sampleSentences('train', 10);
    const learnt = (shards: number) =>
      modelBytes({ learner: 'perceptron', shuffle: false, shards }, {}, repeated(some, shards));
    const two = await learnt(2);
    expect((await learnt(3)).equals(two)).toBe(true);
    const mixed = await modelBytes(
      { learner: 'perceptron', shuffle: false, shards: 2 },
      {},
      repeated(some, 3),
    );
    expect(mixed.equals(two)).toBe(false);
  });

  test('depends on the seed and the number of shards', async () => {
    const bytes = await modelBytes({ shards: 2 });
    expect((await modelBytes({ shards: 2 })).equals(bytes)).toBe(true);
    expect((await modelBytes({ shards: 2 }, { seed: 8 })).equals(bytes)).toBe(false);
    expect((await modelBytes({ shards: 3 })).equals(bytes)).toBe(false);
  });

  test.each([{}, { order: 2, decoder: 'eisner' }])(
    'with %o resumes from the last whole epoch and gives the same model, wherever it was stopped',
    async (options) => {
      const sharded = { epochs: 3, ...options, shards: 3 };
      const whole = await modelBytes(sharded);
      let clock = 0;
      // The clock advances by a second at every reading, so that training pauses after every sentence.
      vi.spyOn(performance, 'now').mockImplementation(() => {
        clock += 1000;
        return clock;
      });
      const checkpoints = new KeptCheckpoint();
      const stops = [
        { at: 2, isOver: undefined },
        { at: 2, isOver: undefined },
        ...('order' in options ? [{ at: 5, isOver: true }] : []),
      ];
      for (const { at, isOver: over } of stops) {
        const stop = new AbortController();
        const { signal } = stop;
        const onProgress: TrainingRun['onProgress'] = ({ epoch, isOver }) => {
          if (epoch === at && isOver === over) stop.abort();
        };
        await expect(modelBytes(sharded, { checkpoints, signal, onProgress })).rejects.toThrow();
        expect(checkpoints.kept).toBeDefined();
      }
      expect((await modelBytes(sharded, { checkpoints })).equals(whole)).toBe(true);
    },
  );

  test('reports its progress and its scores', async () => {
    const told: string[] = [];
    await modelBytes(
      { shards: 4 },
      {
        onProgress: ({ epoch, done, total, training }) =>
          told.push(`${epoch} ${done}/${total} ${!!training}`),
      },
    );
    expect(told).toEqual(expect.arrayContaining(['1 0/30 false', '1 30/30 true', '2 30/30 true']));
  });

  test('uses silver trees by their weight, and can continue from a saved model', async () => {
    const silver = { treebank: treebank('silver', ...(await sampleSentences('dev', 10))), weight: 0.5 };
    const bytes = await modelBytes({ shards: 2 }, { silver });
    expect((await modelBytes({ shards: 2 }, { silver: { ...silver, weight: 1 } })).equals(bytes)).toBe(false);
    const writer = new ModelWriter();
    const train = treebank('train', ...(await sampleSentences('train', 20)));
    const { parser, about } = await trainParser('graph', train, { options: { bits: 12, epochs: 1 } });
    parser.save(writer);
    Object.assign(writer.header, { paradigm: 'graph', options: about.options });
    const model = ModelReader.fromBuffer(modelBuffer(writer), 'graph.model');
    const further = async (shards: number) => {
      const grown = new ModelWriter();
      const trained = await trainParser('graph', train, { from: { model }, options: { shards } });
      trained.parser.save(grown);
      return Buffer.from(modelBuffer(grown));
    };
    expect((await further(2)).equals(await further(1))).toBe(false);
  });

  test('is refused with more shards than sentences', async () => {
    const training = modelBytes({ shards: 31 });
    await expect(training).rejects.toThrow('shards 31: more than the 30 sentences');
  });
});

test.each([{ silver: true }, { order: 2, decoder: 'eisner' }])(
  'shards with %o give the same weights with any number of threads, which stop on a signal',
  async ({ silver, ...more }: { silver?: boolean }) => {
    const url = (module: string) => JSON.stringify(pathToFileURL(join(packageFolder, 'dist', module)).href);
    const few = (part: TreebankPart) => JSON.stringify(sampleText(part).split('\n\n', 8).join('\n\n'));
    const script = `
      const { inMemory, readSentences } = await import(${url('index.js')});
      const read = (text) => inMemory(readSentences(text), 'few');
      const graph = await module.findParadigm('graph');
      const options = graph.options.parse({ epochs: 2, bits: 14, shards: 3, ...${JSON.stringify(more)} });
      const treebank = read(${few('dev')});
      const silver = ${silver ?? false} ? { treebank: read(${few('test')}), weight: 0.5 } : undefined;
      const weights = async (jobs) => {
        const { weights } = await graph.train(treebank, options, { seed: 3, jobs, silver });
        return Object.values(weights).flatMap((vector) => ArrayBuffer.isView(vector) ? [...vector] : []);
      };
      const [one, ...others] = [await weights(1), await weights(2), await weights(8)];
      const isSame = others.every((other) => one.every((w, i) => w === other[i]));
      const stop = new AbortController();
      const onProgress = ({ done }) => done > 0 && stop.abort();
      const stopped = graph.train(treebank, options, { seed: 3, jobs: 2, signal: stop.signal, onProgress });
      const reason = await stopped.catch(({ name }) => name);
      console.log(JSON.stringify({ count: one.filter((w) => w !== 0).length, isSame, reason }));`;
    const { stdout } = startModule('api/train.js', script);
    const found = JSON.parse(await text(stdout!)) as { count: number };
    expect(found.count).toBeGreaterThan(1000);
    expect(found).toMatchObject({ isSame: true, reason: 'AbortError' });
  },
);
