import { expect, test } from 'vitest';
import type { ColumnAnnotator, Tokenizer } from '../../annotators/annotator.ts';
import { calibratedModels } from '../../annotators/calibrate.ts';
import { isTokenizer, openAnnotator } from '../../annotators/registry.ts';
import { writeAnnotator } from '../../annotators/saved-annotator.ts';
import { trainAnnotator } from '../../annotators/train-annotator.ts';
import { makePipeline } from '../../combine/pipeline/make-pipeline.ts';
import { isRightIn } from '../../src/evaluate/attachment/column-counts.ts';
import { evaluate } from '../../src/evaluate/evaluate.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import { ModelWriter } from '../../src/model/model-writer.ts';
import { confidenceIn } from '../../src/treebank/columns/confidence.ts';
import { type Sentence, sentenceOf } from '../../src/treebank/sentence.ts';
import { textOf } from '../../src/treebank/surface.ts';
import { inMemory } from '../../src/treebank/treebanks.ts';
import { modelBuffer } from '../support/model-buffer.ts';
import { inflected, smallModels } from '../support/small-pipeline.ts';

const dev = inflected('dev');
/** Lemmas that lack a final s only in words of even length, which is hard to learn. */
const irregular = async (part: 'train' | 'dev') => {
  const sentences: Sentence[] = [];
  for await (const one of inflected(part)) {
    const lemmas = one.forms.map((form) => (form.length % 2 ? form : form.replace(/(?<=.)s$/, '')));
    sentences.push({ ...one, lemmas });
  }
  return inMemory(sentences, `${part}.conllu`);
};
const lemmatizerOptions = { options: { epochs: 2, bits: 12 } };
const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;

test.each(['tagger', 'lemmatizer'] as const)('a %s is less confident in its wrong answers', async (task) => {
  const [train, heldOut] = await Promise.all([irregular('train'), irregular('dev')]);
  const { annotator: trained } =
    task === 'tagger'
      ? (await smallModels()).tagger
      : await trainAnnotator('lemmatizer', train, lemmatizerOptions);
  const annotator = trained as ColumnAnnotator;
  const [right, wrong]: [number[], number[]] = [[], []];
  for await (const sentence of heldOut) {
    const [confidences, found] = [annotator.confidences!(sentence), annotator.annotate(sentence)];
    for (let d = 1; d <= sentence.length; d++) {
      const isRight = annotator.writes.every((name) => isRightIn(name, sentence[name][d], found[name]![d]));
      (isRight ? right : wrong).push(confidences[d]);
    }
  }
  const all = [...right, ...wrong];
  expect(all.every((one) => one >= 0 && one <= 1)).toBe(true);
  expect(wrong.length).toBeGreaterThan(20);
  expect(mean(wrong)).toBeLessThan(mean(right) - 0.1);
});

test('a tokenizer gives each token a confidence without changing the tokens', async () => {
  const tokenizer = (await smallModels()).tokenizer.annotator as Tokenizer;
  let text = '';
  for await (const sentence of dev) text += textOf(sentence);
  const cut = (confidence: boolean): Sentence[] => {
    const stream = tokenizer.open('text', 'dev', { confidence });
    return [...stream.push(text), ...stream.end()];
  };
  const [plain, sure] = [cut(false), cut(true)];
  const without = (texts: readonly Sentence[]) =>
    texts.map(({ source }) => source!.text.replace(/\|?TokenConfidence=[\d.]+/g, '').replace(/\t$/gm, '\t_'));
  expect(without(sure)).toEqual(without(plain));
  const figures = sure.flatMap(({ misc }) => misc.slice(1).map((one) => confidenceIn(one, 'tokens')));
  expect(figures.every((one) => one !== undefined)).toBe(true);
  expect(Math.min(...figures.map((one) => one!))).toBeLessThan(0.9);
});

test('held-out data calibrate an annotator, in training or later, and its model keeps that', async () => {
  const { about } = await trainAnnotator('lemmatizer', inflected('train'), {
    options: { epochs: 1, bits: 12 },
  });
  const { annotator } = await trainAnnotator('lemmatizer', inflected('train'), {
    options: { epochs: 1, bits: 12 },
    dev,
  });
  const saved = async (one: typeof annotator) => {
    const writer = new ModelWriter();
    writeAnnotator(writer, one, about);
    return ModelReader.fromBuffer(modelBuffer(writer), 'lemmatizer.model');
  };
  const model = await saved(annotator);
  const { calibration } = await openAnnotator(model);
  expect(calibration?.data).toEqual(annotator.calibration!.data);
  // A calibrated model stays as it is.
  const [same] = await calibratedModels([model], inflected('train'), undefined);
  expect(same.header.calibration).toEqual(model.header.calibration);
  annotator.calibration = undefined;
  const [again] = await calibratedModels([await saved(annotator)], dev, undefined);
  expect(again.header.calibration).toEqual(model.header.calibration);
});

test('a pipeline writes the confidences of all its parts to MISC, and evaluate measures their reliability', async () => {
  const { tokenizer, tagger, lemmatizer, parser } = await smallModels();
  const pipeline = await makePipeline([tokenizer, tagger, lemmatizer, parser]);
  expect(isTokenizer(pipeline.tokenizer!)).toBe(true);
  const names =
    /^SpacesAfter=\\n\|TokenConfidence=[\d.]+\|TagConfidence=[\d.]+\|LemmaConfidence=[\d.]+\|Confidence=[\d.]+$/;
  const [sentence] = pipeline.parse('The dogs bark.\n', 'text', { confidence: true });
  expect(sentence.misc[4]).toMatch(names);
  const gold: Sentence[] = [];
  for await (const one of dev) gold.push(one);
  const found = gold.map((one) => {
    const [cut] = pipeline.parse(textOf(one), 'lines', { confidence: true });
    return { ...cut, id: one.id };
  });
  const options = { confidence: true };
  const { otherReliability } = await evaluate(inMemory(gold, 'gold'), inMemory(found, 'found'), options);
  expect(Object.keys(otherReliability!)).toEqual(['tags', 'lemmas', 'tokens']);
  for (const { arcs, uas, uasWithoutLeast } of Object.values(otherReliability!)) {
    expect(arcs).toBeGreaterThan(300);
    expect(uasWithoutLeast).toBeGreaterThanOrEqual(uas);
  }
});

test('annotation that a pipeline keeps has a confidence of 1', async () => {
  const { tagger, lemmatizer } = await smallModels();
  const pipeline = await makePipeline([tagger, lemmatizer]);
  const sentence = sentenceOf([
    { form: 'Dogs', upos: 'NOUN' },
    { form: 'barked', upos: 'VERB' },
  ]);
  const { columnConfidences } = pipeline.sentenceParser(['tags']).parse(sentence, { confidence: true });
  expect(new Set(columnConfidences!.tags!.slice(1))).toEqual(new Set([1]));
  expect(new Set(columnConfidences!.lemmas!.slice(1))).not.toEqual(new Set([1]));
});
