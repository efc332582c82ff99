import { expect, test } from 'vitest';
import { Overrides, withOverrides } from '../../annotators/overrides.ts';
import { fillsColumns, openAnnotator } from '../../annotators/registry.ts';
import { writeAnnotator } from '../../annotators/saved-annotator.ts';
import { makePipeline } from '../../combine/pipeline/make-pipeline.ts';
import { openPipeline, pipelineWriter } from '../../combine/pipeline/saved-pipeline.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import { ModelWriter } from '../../src/model/model-writer.ts';
import { sentenceOf } from '../../src/treebank/sentence.ts';
import { modelBuffer } from '../support/model-buffer.ts';
import { smallModels } from '../support/small-pipeline.ts';

const lexicon = Overrides.read(
  '# names and oddities\ndogs\tNOUN\thound\tNumber=Few\ndogs\t_\tnever\t_\nbark\t_\tBARK\n\ncats\tNNS\tfelis\t_\n',
  'names.tsv',
);
const words = sentenceOf([
  { form: 'dogs', upos: 'NOUN', xpos: 'NNS', feats: 'Number=Plur' },
  { form: 'cats', upos: 'NOUN', xpos: 'NNS', feats: 'Number=Plur' },
  { form: 'dogs', upos: 'VERB', xpos: 'VBZ' },
  { form: 'Bark', upos: 'VERB', xpos: 'VBP' },
]);

test('a lexicon overrides a lemmatizer by UPOS, XPOS or any tag, also after saving and loading', async () => {
  const { annotator, about } = (await smallModels()).lemmatizer;
  if (!fillsColumns(annotator)) throw new Error('a lemmatizer fills columns');
  const learnt = annotator.annotate(words).lemmas!;
  const lemmas = ['', 'hound', 'felis', 'never', learnt[4]];
  expect(lexicon.appliedTo(annotator).annotate(words)).toEqual({ lemmas });

  const writer = new ModelWriter();
  writeAnnotator(writer, lexicon.appliedTo(annotator), about);
  const model = ModelReader.fromBuffer(modelBuffer(writer), 'lemmas.model');
  const opened = await openAnnotator(model);
  expect(fillsColumns(opened) && opened.annotate(words)).toEqual({ lemmas });
  // A lexicon given later overrides the saved one.
  const other = await openAnnotator(withOverrides(model, Overrides.read('dogs\tNOUN\tcur\t_', 'f')));
  expect(fillsColumns(other) && other.annotate(words).lemmas!.slice(1, 3)).toEqual(['cur', 'felis']);
});

test('a lexicon in a pipeline also fills features if the predicted tag is the one it names', async () => {
  const models = await smallModels();
  const pipeline = await makePipeline(Object.values(models));
  const model = ModelReader.fromBuffer(modelBuffer(pipelineWriter(pipeline)), 'small.model');
  const [before] = pipeline.parse('The dogs bark.');
  const [after] = (await openPipeline(withOverrides(model, lexicon))).parse('The dogs bark.');
  expect(before.upos[2]).toBe('NOUN');
  expect([after.lemmas[2], after.feats[2], after.lemmas[3]]).toEqual(['hound', 'Number=Few', 'BARK']);
  expect([after.lemmas[1], after.upos]).toEqual([before.lemmas[1], before.upos]);
});

test.each([
  ['', 'f: no words'],
  ['a\tb', 'f:1: 2 columns, expected form, tag, lemma and features, separated by tabs'],
  ['# x\n\na\t\tb\t_', 'f:3: a column is empty, expected a value or “_”'],
  ['a\t_\tb\na\t_\tc', 'f:2: a with the tag _ is already in line 1'],
])('a lexicon is refused if its text is %j', (text, message) => {
  expect(() => Overrides.read(text, 'f')).toThrow(message);
});

test('a lexicon finds words whichever kind of apostrophe they have', async () => {
  const { annotator } = (await smallModels()).lemmatizer;
  if (!fillsColumns(annotator)) throw new Error('a lemmatizer fills columns');
  const withNames = Overrides.read('o’clock\t_\tclock\n', 'f').appliedTo(annotator);
  const clocks = sentenceOf([{ form: "o'clock" }, { form: 'o’clock' }]);
  expect(withNames.annotate(clocks).lemmas).toEqual(['', 'clock', 'clock']);
});
