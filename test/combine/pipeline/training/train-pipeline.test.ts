import { appendFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { jackknifed } from '../../../../annotators/jackknife/jackknife.ts';
import type { PartProgress } from '../../../../combine/parser-part.ts';
import { loadPipeline, savePipeline } from '../../../../combine/pipeline/saved-pipeline.ts';
import type { TrainPipelineOptions } from '../../../../combine/pipeline/training/options.ts';
import { TextModels } from '../../../../combine/pipeline/training/text-models.ts';
import { type TrainedPipeline, trainPipeline } from '../../../../combine/pipeline/training/train-pipeline.ts';
import { trainParser } from '../../../../combine/train-parser.ts';
import { saveParser } from '../../../../parsers/registry.ts';
import { MOST_SEED } from '../../../../src/checks.ts';
import { OptionError, UsageError } from '../../../../src/errors.ts';
import { scoreText } from '../../../../src/evaluate/attachment/ud-counts.ts';
import { readVectors } from '../../../../src/learn/vectors/read-vectors.ts';
import { readModelFile } from '../../../../src/model/model-file.ts';
import type { Sentence, Treebank } from '../../../../src/treebank/sentence.ts';
import { textOf } from '../../../../src/treebank/surface.ts';
import { FirstSentences, inMemory } from '../../../../src/treebank/treebanks.ts';
import { collect } from '../../../support/collect.ts';
import { encoderFile } from '../../../support/encoder-file.ts';
import { Sandbox } from '../../../support/sandbox.ts';
import { inflected } from '../../../support/small-pipeline.ts';
import { vectorFile } from '../../../support/vector-file.ts';

const sandbox = new Sandbox('train-pipeline');
const encoder = await encoderFile();
const tiny = { epochs: 1, bits: 12 };
const tinyTagger = { ...tiny, units: 8, networkEpochs: 1 };
const parserOptions = { ...tiny, templates: ['mcdonald'] };
const gold = { tags: 'gold', folds: undefined } as const;
const small = {
  ...{ folds: 2, tokenizer: tiny, tagger: tinyTagger, lemmatizer: tiny },
  ...{ parser: 'graph', parserOptions },
};
const train = new FirstSentences(inflected('train'), 24);
const dev = new FirstSentences(inflected('dev'), 20);
const store = sandbox.path('store');

let whole: TrainedPipeline;
let wholeBytes: Buffer;

/** Trains a pipeline; parts that are finished are taken from the store. */
async function trained(options: object = {}, run: TrainPipelineOptions = {}) {
  const over: PartProgress[] = [];
  const notices: string[] = [];
  const onProgress = (progress: PartProgress) => {
    if (progress.isOver) over.push(progress);
  };
  const onNotice = (notice: string) => notices.push(notice);
  const told = { store, onProgress, onNotice, ...run, options: { ...small, ...options } };
  const result = await trainPipeline(train, told);
  return { ...result, over, notices };
}

function bytesOf({ pipeline, about }: TrainedPipeline): Buffer {
  const path = sandbox.path('pipeline.model');
  savePipeline(path, pipeline, about);
  return readFileSync(path);
}

beforeAll(async () => {
  whole = await trained({}, { dev });
  wholeBytes = bytesOf(whole);
});

test('word vectors that seem to be of another language cause a warning', async () => {
  const warnings: string[] = [];
  const onWarning = (warning: string) => warnings.push(warning);
  const vectors = vectorFile(['unheard-of']);
  await trained({ vectors, ...gold }, { onWarning, store: undefined });
  expect(warnings).toEqual([expect.stringMatching(/^tagger: 0% of the treebank’s \d+ different words/)]);
});

test('word vectors are trained on a text in its encoding, and stored separately for each encoding', async () => {
  const text = sandbox.save('latin.txt', Buffer.from('été là '.repeat(50), 'latin1'));
  const vectorsIn = async (encoding: string) => {
    const models = await TextModels.open([text], undefined, { store, encoding });
    return readVectors((await models.train(['vectors'])).vectors!, 100);
  };
  expect((await vectorsIn('iso-8859-1')).has('été')).toBe(true);
  expect((await vectorsIn('iso-8859-2')).has('été')).toBe(true);
  expect((await vectorsIn('iso-8859-5')).has('été')).toBe(false);
  await expect(vectorsIn('utf-8')).rejects.toThrow('latin.txt');
});

/** The treebank with some columns of its sentences changed. */
async function changed(change: (sentence: Sentence) => Partial<Sentence>): Promise<Treebank> {
  const sentences = await collect(train);
  return inMemory(
    sentences.map((sentence) => ({ ...sentence, ...change(sentence) })),
    'made up',
  );
}

const blank = ({ forms }: Sentence) => forms.map((_, d) => (d === 0 ? '' : '_'));

/** The weights of the parser in a file. */
const arcsOf = (path: string, ...parts: readonly string[]) =>
  parts.reduce((model, part) => model.part(part), readModelFile(path)).section('arcs', 'int16');

function arcsOfPipeline(result: TrainedPipeline, part = 'parser'): Int16Array {
  const path = sandbox.path('arcs.model');
  savePipeline(path, result.pipeline);
  return arcsOf(path, part);
}

async function arcsOfParser(treebank: Treebank): Promise<Int16Array> {
  const { parser } = await trainParser('graph', treebank, { options: parserOptions });
  saveParser(sandbox.path('parser.model'), parser);
  return arcsOf(sandbox.path('parser.model'));
}

describe('a trained pipeline', () => {
  test('has a parser trained on jackknifed columns, on the treebank’s own columns, or on both', async () => {
    const tasks = [
      { task: 'tagger', options: tinyTagger },
      { task: 'lemmatizer', options: tiny },
    ] as const;
    const filled = await jackknifed(train, { tasks, folds: 2 });
    const predicted = arcsOfPipeline(await trained({ tags: 'predicted' }));
    expect(predicted).toEqual(await arcsOfParser(filled));
    const both = inMemory([...(await collect(train)), ...(await collect(filled))], 'both');
    expect(arcsOfPipeline(whole)).toEqual(await arcsOfParser(both));
    const learnt = await trained(gold);
    expect(learnt.over.map(({ part }) => part)).not.toContain('folds');
    expect(arcsOfPipeline(learnt)).toEqual(await arcsOfParser(train));
    expect(arcsOfPipeline(learnt)).not.toEqual(predicted);
  });

  test('is scored on its own parses of text and of tokens, and saves the scores in its file', async () => {
    const path = sandbox.path('scored.model');
    savePipeline(path, whole.pipeline, whole.about);
    const pipeline = await loadPipeline(path);
    const text = (await collect(dev)).map(textOf).join('');
    const fromText = await scoreText(dev, inMemory(pipeline.parse(text), 'text'));
    expect(whole.scores!.text!.LAS).toBe(fromText.LAS.f1);
    const completed = (await collect(dev)).map((each) => pipeline.complete(each));
    const fromTokens = await scoreText(dev, inMemory(completed, 'tokens'));
    expect(whole.scores!.tokens).toEqual({
      UPOS: fromTokens.UPOS.f1,
      XPOS: fromTokens.XPOS.f1,
      UFeats: fromTokens.UFeats.f1,
      Lemmas: fromTokens.Lemmas.f1,
      UAS: fromTokens.UAS.f1,
      LAS: fromTokens.LAS.f1,
    });
    for (const one of [pipeline.tokenizer!, ...pipeline.annotators])
      expect(one.calibration!.data.raw.length).toBeGreaterThan(0);
    const { header } = readModelFile(path);
    expect(header).toMatchObject({
      pipeline: ['tokenizer', 'tagger', 'lemmatizer', 'parser'],
      options: { parser: 'graph', folds: 2 },
      seed: 1,
      train: { file: 'train.conllu', limit: 24 },
      scores: { 'text LAS': fromText.LAS.f1, 'tokens UPOS': fromTokens.UPOS.f1 },
    });
  });

  test('has fewer epochs if every sentence is used twice, unless their number is given', async () => {
    const epochsOf = async (options: object) => {
      const { about } = await trained(options);
      const { parserOptions } = about.options as { readonly parserOptions: { readonly epochs?: number } };
      return parserOptions.epochs;
    };
    const { epochs: _, ...unsaid } = parserOptions;
    expect(await epochsOf({ parserOptions: unsaid })).toBe(6);
    expect(await epochsOf({ parserOptions: unsaid, tags: 'predicted' })).toBe(10);
    expect(await epochsOf({ parserOptions: { ...unsaid, epochs: 2 } })).toBe(2);
  });

  test('may be a vote of several parsers, weighted on held-out sentences or equally', async () => {
    const members = [
      { parser: 'graph', options: parserOptions },
      { parser: 'graph', options: { ...parserOptions, decoder: 'eisner' } },
    ];
    const vote = { parser: 'vote', parserOptions: {}, members, weighting: 'las' };
    const { pipeline, notices } = await trained(vote, { dev });
    expect(pipeline.parsers).toHaveLength(2);
    expect(notices).toContain(
      'the weights of the vote were learnt from the sentences that it is scored on: the scores are too high',
    );
    const { data } = pipeline.vote!.weighting;
    expect(data).toMatchObject({ kind: 'members', weights: { name: 'las' } });
    const equal = await trained({ ...vote, weighting: undefined });
    expect(equal.pipeline.vote!.weighting.data).toMatchObject({ weights: { name: 'equal' } });
    expect(equal.over.filter(({ isKept }) => !isKept).map(({ part }) => part)).toEqual([
      'parser-1',
      'parser-2',
    ]);
  });

  test('gives parsers named twice in a vote different seeds, the first of which is the given one', async () => {
    const member = { parser: 'graph', options: parserOptions };
    const result = await trained({ parser: 'vote', parserOptions: {}, members: [member, member] });
    const [first, second] = ['parser-1', 'parser-2'].map((part) => arcsOfPipeline(result, part));
    expect(first).toEqual(arcsOfPipeline(whole));
    expect(second).not.toEqual(first);
    const last = await trained(
      { parser: 'vote', parserOptions: {}, members: [member, member] },
      { seed: MOST_SEED },
    );
    expect(last.pipeline.parsers).toHaveLength(2);
  });

  test.each([
    ['lemmas', 'has no lemmas: a pipeline without a lemmatizer', ['tokenizer', 'tagger', 'parser']],
    ['text', 'has no text: a pipeline without a tokenizer', ['tagger', 'lemmatizer', 'parser']],
  ])('has no part for what the treebank lacks, and gives a notice: %s', async (lacking, notice, names) => {
    const treebank = await changed((sentence) =>
      lacking === 'lemmas'
        ? { lemmas: blank(sentence), source: undefined, misc: spaces(sentence) }
        : untold(sentence),
    );
    const notices: string[] = [];
    const onNotice = (text: string) => notices.push(text);
    const { pipeline } = await trainPipeline(treebank, { options: { ...small, ...gold }, onNotice });
    expect(pipeline.parts.map(({ model }) => ('task' in model ? model.task : 'parser'))).toEqual(names);
    expect(notices).toContain(`made up ${notice}`);
  });
});

test('the training of a pipeline passes on the notices of its annotators', async () => {
  const notices: string[] = [];
  const onNotice = (text: string) => notices.push(text);
  const treebank = await changed((sentence) => ({ misc: blank(sentence) }));
  await trainPipeline(treebank, { options: { ...small, ...gold }, onNotice });
  expect(notices).toContainEqual(
    expect.stringMatching(
      /^tokenizer: .* has a blank after every token: tokens will be separated at blanks only$/,
    ),
  );
});

/** MISC in which the first token of every sentence has no blank after it. */
const spaces = ({ misc }: Sentence) => misc.map((_, d) => (d === 0 ? '' : d === 1 ? 'SpaceAfter=No' : '_'));
const untold = (sentence: Sentence) => ({ source: undefined, misc: blank(sentence) });

describe('a training that was stopped', () => {
  test('resumes with the finished parts and gives the same bytes', async () => {
    const folder = sandbox.path('stopped');
    const stop = new AbortController();
    const onProgress = ({ part, isOver }: PartProgress) => {
      if (part === 'tagger' && isOver) stop.abort();
    };
    const stopped = trainPipeline(train, {
      ...{ options: small, dev, store: folder, signal: stop.signal, onProgress },
    });
    await expect(stopped).rejects.toThrow(/abort/);
    expect(readdirSync(folder).filter((name) => name.endsWith('.model'))).not.toEqual([]);
    const again = await trained({}, { dev, store: folder });
    expect(again.over.find(({ part }) => part === 'tagger')!.isKept).toBe(true);
    expect(again.over.find(({ part }) => part === 'parser')!.isKept).toBe(false);
    expect(bytesOf(again).equals(wholeBytes)).toBe(true);
    for (const [i, name] of readdirSync(folder).entries()) {
      if (i % 2 === 0) rmSync(join(folder, name));
      else appendFileSync(join(folder, name), ' ');
    }
    const anew = await trained({}, { dev, store: folder });
    expect(anew.over.filter(({ isKept }) => isKept)).toEqual([]);
    expect(bytesOf(anew).equals(wholeBytes)).toBe(true);
  });

  test('does not reuse parts trained with another seed or other options', async () => {
    const keptBy = async (options: object, run: TrainPipelineOptions) =>
      (await trained({ ...options, ...gold }, run)).over
        .filter(({ isKept }) => isKept)
        .map(({ part }) => part);
    expect(await keptBy({}, { seed: 2 })).toEqual([]);
    const tagger = { ...tinyTagger, cutoff: 3 };
    expect((await keptBy({ tagger }, {})).sort()).toEqual(['lemmatizer', 'parser', 'tokenizer']);
  });
});

describe('refused before training begins', () => {
  test.each<[object, string]>([
    [
      { parser: 'pcfg', parserOptions: {} },
      'parser pcfg is trained on brackets, which have no columns for a pipeline to fill: train it by itself',
    ],
    [{ members: [{ parser: 'graph' }, { parser: 'bigram' }] }, 'members goes with parser vote'],
    [{ weighting: 'las' }, 'weighting goes with parser vote'],
    [
      { parser: 'vote', parserOptions: {}, weighting: 'las' },
      'weighting las is learned: it needs held-out data',
    ],
    [{ folds: 25 }, 'folds 25: train.conllu has 24 sentences, fewer than folds'],
    [
      { vectors: vectorFile(['a']), tagger: { units: 0 } },
      'vectors: neither the parser nor the tagger reads word vectors',
    ],
    [{ encoder, tagger: { units: 0 } }, 'encoder: neither the parser nor the tagger reads a language model'],
    [
      { encoderByName: false, tagger: { units: 0 } },
      'encoderByName false: neither the parser nor the tagger reads a language model',
    ],
    // The default parser of a small treebank.
    [
      { parser: undefined, parserOptions: {}, vectors: vectorFile(['a']), tagger: { units: 0 } },
      'vectors: neither the parser nor the tagger reads word vectors',
    ],
  ])('options that do not go together: %j', async (options, message) => {
    const error = await trained(options).catch((reason) => reason);
    expect(error).toBeInstanceOf(OptionError);
    expect(error.message).toBe(message);
  });

  test.each<[object, string]>([
    [{ parser: 'prophet' }, 'no paradigm is called prophet, expected one of'],
    [{ tagger: { epoch: 1 } }, 'tagger has no option epoch'],
    [{ parserOptions: { epoch: 1 } }, 'graph has no option epoch'],
    [{ fold: 3 }, 'pipeline has no option fold'],
    [{ folds: 1 }, 'folds: expected a whole number from 2 to 1000'],
  ])('unknown names and values out of range: %j', async (options, message) => {
    const error = await trained(options).catch((reason) => reason);
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toContain(message);
  });

  test('a treebank that has nothing but trees', async () => {
    const bare = await changed((sentence) => ({
      ...untold(sentence),
      ...{ lemmas: blank(sentence), upos: blank(sentence), xpos: blank(sentence), feats: blank(sentence) },
    }));
    await expect(trainPipeline(bare)).rejects.toEqual(
      new UsageError(
        'made up has neither text, tags nor lemmas: no annotator to train, train a parser by itself',
      ),
    );
  });

  test.each([
    [{ folds: 3 }, 'folds 3: no annotator fills a column that the parser reads'],
    [{ tags: 'predicted' }, 'tags predicted: no annotator fills a column that the parser reads'],
  ] as const)('options of jackknifing for a treebank with only text and trees: %j', async (more, message) => {
    const bare = await changed((sentence) => ({
      ...sentence,
      ...{ lemmas: blank(sentence), upos: blank(sentence), xpos: blank(sentence), feats: blank(sentence) },
    }));
    const options = { parser: 'bigram', ...more } as const;
    await expect(trainPipeline(bare, { options })).rejects.toThrow(message);
  });

  test('a treebank that has nothing but trees and tags, if the parser finds the tags', async () => {
    const tagged = await changed((sentence) => ({
      ...untold(sentence),
      ...{ lemmas: blank(sentence), xpos: blank(sentence), feats: blank(sentence) },
    }));
    const tagging = { parser: 'network', parserOptions: { tagTask: ['upos'] } } as const;
    await expect(trainPipeline(tagged, { options: tagging })).rejects.toEqual(
      new UsageError(
        'made up has neither text nor lemmas, and the parser tags: no annotator to train, train a parser by itself',
      ),
    );
  });
});
