import { beforeAll, expect, test } from 'vitest';
import type { ColumnAnnotator } from '../../../annotators/annotator.ts';
import { makePipeline } from '../../../combine/pipeline/make-pipeline.ts';
import { loadPipeline, savePipeline } from '../../../combine/pipeline/saved-pipeline.ts';
import { trainPipeline } from '../../../combine/pipeline/training/train-pipeline.ts';
import { type TrainedParser, trainParser } from '../../../combine/train-parser.ts';
import { loadParser, saveParser } from '../../../parsers/registry.ts';
import { explanationSchema } from '../../../src/explain/explanation.ts';
import { readModelFile } from '../../../src/model/model-file.ts';
import type { MorphologyColumn } from '../../../src/treebank/columns/names.ts';
import { formatSentence } from '../../../src/treebank/columns/write.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { FirstSentences, inMemory } from '../../../src/treebank/treebanks.ts';
import { collect } from '../../support/collect.ts';
import { Sandbox } from '../../support/sandbox.ts';
import { inflected, type SmallModels, smallModels } from '../../support/small-pipeline.ts';

const sandbox = new Sandbox('tagging-parser');
const text = 'The dogs bark all night. She found old letters in a drawer.\n';
const options = { units: 16, layers: 2, epochs: 8, maxLength: 30, rate: 0.01 };
const tagTask: MorphologyColumn[] = ['upos', 'xpos', 'feats'];

let models: SmallModels;
let trained: TrainedParser;
let dev: readonly Sentence[];

beforeAll(async () => {
  models = await smallModels();
  dev = (await collect(inflected('dev'))).slice(0, 60);
  trained = await trainParser('network', new FirstSentences(inflected('train'), 200), {
    options: { ...options, tagTask },
    dev: inMemory(dev, 'held out'),
  });
});

/** The sentence without the columns that a parser might read beside its forms. */
function bare(sentence: Sentence): Sentence {
  const blank = sentence.forms.map((_, d) => (d === 0 ? '' : '_'));
  return { ...sentence, lemmas: blank, upos: blank, xpos: blank, feats: blank };
}

test('a network finds tags and trees from words alone', async () => {
  const { parser } = trained;
  expect(parser.reads).toEqual([]);
  expect(parser.writes).toEqual(tagTask);
  const counts = { words: 0, upos: 0, feats: 0 };
  for (const sentence of dev) {
    const { columns, heads, unseen } = parser.parse(bare(sentence));
    expect(parser.parse(sentence)).toMatchObject({ columns, heads });
    expect(unseen).toBeUndefined();
    counts.words += sentence.length;
    for (let d = 1; d <= sentence.length; d++) {
      for (const column of ['upos', 'feats'] as const)
        if (columns![column]![d] === sentence[column][d]) counts[column]++;
    }
  }
  expect(counts.upos / counts.words).toBeGreaterThan(0.7);
  expect(counts.feats / counts.words).toBeGreaterThan(0.6);

  const path = sandbox.path('network.model');
  saveParser(path, parser, trained.about);
  const loaded = await loadParser(path);
  for (const sentence of dev) expect(loaded.parse(sentence)).toEqual(parser.parse(sentence));
});

test('a tagging parser gives confidences of its tags, calibrated on held-out sentences', async () => {
  const { parser } = trained;
  expect(parser.calibration!.tags).toBeDefined();
  const path = sandbox.path('calibrated.model');
  saveParser(path, parser, trained.about);
  const loaded = await loadParser(path);
  let [mean, right, words] = [0, 0, 0];
  for (const sentence of dev) {
    const { columns, columnConfidences } = parser.parse(bare(sentence), { confidence: true });
    expect(loaded.parse(bare(sentence), { confidence: true }).columnConfidences).toEqual(columnConfidences);
    for (let d = 1; d <= sentence.length; d++) {
      mean += columnConfidences!.tags![d];
      if (tagTask.every((column) => columns![column]![d] === sentence[column][d])) right++;
      words++;
    }
  }
  expect(Math.abs(mean - right) / words).toBeLessThan(0.03);
  const pipeline = await makePipeline([models.tokenizer, path]);
  const parses = pipeline.sentenceParser().parseAll(dev.map(bare), { confidence: true });
  expect(parses[0].columnConfidences!.tags![1]).toBeGreaterThan(0);
  const kept = pipeline.sentenceParser(['tags']).parseAll(dev, { confidence: true });
  expect(kept[0].columnConfidences!.tags!.slice(1).every((figure) => figure === 1)).toBe(true);
});

test('a pipeline explains the tags of its parser and the next best ones', async () => {
  const pipeline = await makePipeline([models.tokenizer, trained]);
  for (const sentence of pipeline.parse(text)) {
    const explained = pipeline.explain(sentence);
    expect(() => explanationSchema.parse(JSON.parse(JSON.stringify(explained)))).not.toThrow();
    for (const [d, [chosen, ...others]] of explained.alternatives!.entries()) {
      if (d === 0) continue;
      for (const column of tagTask) expect(chosen.columns[column]).toBe(explained.columns[column][d]);
      expect(others).toHaveLength(tagTask.length);
      for (const { columns, score } of others) {
        expect(score).toBeLessThan(chosen.score);
        expect(tagTask.filter((column) => columns[column] !== chosen.columns[column])).toHaveLength(1);
      }
    }
  }
});

test('n-best trees have tags, and so do the chunks of long sentences', () => {
  const { parser } = trained;
  const [sentence] = dev;
  const { columns } = parser.parse(sentence);
  for (const tree of parser.nBest!(sentence, 3)) expect(tree.columns).toEqual(columns);
  const forms = ['', ...dev.flatMap((one) => one.forms.slice(1)).slice(0, 70)];
  const long = bare({ ...sentence, length: 70, forms });
  const first = bare({ ...sentence, length: 30, forms: forms.slice(0, 31) });
  const found = parser.parse(long).columns!.upos!;
  expect(found).toHaveLength(71);
  expect(found.slice(0, 31)).toEqual(parser.parse(first).columns!.upos);
  expect(parser.explain!(sentence, { arc: 1 })).toMatchObject({ paradigm: 'network' });
});

test('in a pipeline, a tagging parser tags and parses before the lemmatizer runs', async () => {
  const warnings: string[] = [];
  const onWarning = (warning: string) => warnings.push(warning);
  const { tokenizer, lemmatizer } = models;
  const pipeline = await makePipeline([tokenizer, trained, lemmatizer], { onWarning });
  expect(warnings).toEqual([]);
  const found = pipeline.parse(text);
  for (const sentence of found) {
    const { columns, heads } = trained.parser.parse(bare(sentence));
    const tagged = { ...bare(sentence), ...columns };
    const { lemmas } = (lemmatizer.annotator as ColumnAnnotator).annotate(tagged);
    expect(sentence).toMatchObject({ ...columns, heads, lemmas });
  }
  const path = sandbox.path('pipeline.model');
  savePipeline(path, pipeline);
  const loaded = await loadPipeline(path);
  const written = (all: readonly Sentence[]) => all.map((one) => formatSentence(one, 'conllu')).join('');
  expect(written(loaded.parse(text))).toBe(written(found));

  const { upos, lemmas } = found[0];
  const explained = pipeline.explain(bare(found[0]));
  expect(explained.columns).toMatchObject({ upos, lemmas });
  const [best] = pipeline.sentenceParser().nBest!(bare(found[0]), 2);
  expect(best.columns).toMatchObject({ upos, lemmas });
  const kept = pipeline.complete({ ...found[0], upos: upos.map(() => 'X') }, ['tags']);
  expect(kept.upos.slice(1)).toEqual(upos.slice(1).map(() => 'X'));
  const unparsed = pipeline.sentenceParser([], { trees: false }).parse(bare(found[1]));
  expect(unparsed).toMatchObject({ heads: found[1].heads, columns: { upos: found[1].upos } });
});

test('the tags of a tagger before the tagging parser are kept', async () => {
  const { tokenizer, tagger } = models;
  const pipeline = await makePipeline([tokenizer, tagger, trained]);
  const alone = await makePipeline([tokenizer, tagger]);
  const found = pipeline.parse(text);
  expect(found.map(({ upos }) => upos)).toEqual(alone.parse(text).map(({ upos }) => upos));
  expect(found.map(({ heads }) => heads)).toEqual(
    (await makePipeline([tokenizer, trained])).parse(text).map(({ heads }) => heads),
  );
});

test('a pipeline is trained without a tagger if its parser finds all tags', async () => {
  const tiny = { epochs: 1, bits: 12 };
  const parts = { tokenizer: tiny, tagger: { ...tiny, units: 0 }, lemmatizer: tiny };
  const parserOptions = { units: 8, layers: 1, epochs: 1 };
  const few = new FirstSentences(inflected('train'), 16);
  const tasksOf = async (tasks: readonly string[]) => {
    const asked = { ...parts, parser: 'network', parserOptions: { ...parserOptions, tagTask: tasks } };
    const { pipeline } = await trainPipeline(few, { options: asked });
    return [pipeline.annotators.map(({ task }) => task), pipeline.parsers[0].model.reads];
  };
  expect(await tasksOf(tagTask)).toEqual([['lemmatizer'], []]);
  expect(await tasksOf(['upos'])).toEqual([['tagger', 'lemmatizer'], expect.arrayContaining(['feats'])]);
});

test('tag columns that the treebank lacks are left out, or refused if no others remain', async () => {
  const few = (await collect(inflected('train'))).slice(0, 20).map(({ ...one }) => {
    return { ...one, feats: one.forms.map(() => '_') };
  });
  const treebank = inMemory(few, 'few');
  const asked = (tasks: MorphologyColumn[]) => ({ options: { ...options, epochs: 1, tagTask: tasks } });
  await expect(trainParser('network', treebank, asked(['feats']))).rejects.toThrow(
    'tagTask feats: few does not fill these columns',
  );
  const { parser } = await trainParser('network', treebank, asked(['feats', 'upos']));
  expect(parser.writes).toEqual(['upos']);
});

test('a tagging parser can be trained further with tags that it knows', async () => {
  const path = sandbox.path('from.model');
  saveParser(path, trained.parser, trained.about);
  const few = new FirstSentences(inflected('dev'), 30);
  const { parser } = await trainParser('network', few, {
    from: { model: readModelFile(path) },
    options: { epochs: 1 },
  });
  expect(parser.writes).toEqual(tagTask);
});
