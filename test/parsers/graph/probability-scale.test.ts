import { beforeAll, expect, test } from 'vitest';
import type { GraphParser } from '../../../parsers/graph/graph-parser.ts';
import { graphOptions } from '../../../parsers/graph/options.ts';
import { graph, linear } from '../../../parsers/graph/paradigm.ts';
import { openParser, writeParser } from '../../../parsers/registry.ts';
import { ModelReader } from '../../../src/model/model-reader.ts';
import { ModelWriter } from '../../../src/model/model-writer.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { modelBuffer } from '../../support/model-buffer.ts';
import { sampleSentences } from '../../support/sample-sentences.ts';
import { treebank } from '../../support/sentences.ts';

const run = { seed: 1, jobs: 1 };
let sentences: Sentence[] = [];
beforeAll(async () => {
  sentences = await sampleSentences('train', 40);
});

const trained = async (options: object) =>
  (await graph.train(
    treebank('sample', ...sentences),
    graphOptions.parse({ epochs: 2, bits: 16, ...options }),
    run,
  )) as GraphParser;

function saved(parser: GraphParser): ModelWriter {
  const writer = new ModelWriter();
  writeParser(writer, parser, {});
  return writer;
}

const confidencesOf = (parser: GraphParser) =>
  sentences.slice(0, 5).map((one) => [...parser.parse(one, { confidence: true }).confidences!]);

test('confidences do not depend on the largest weight, by which all weights are scaled', async () => {
  // The table is so large that the changed weight belongs to no feature.
  const options = graphOptions.parse({ epochs: 2, bits: 21 });
  const shared = await linear.share(treebank('sample', ...sentences), options, run);
  const { weights } = await linear.trainMember(shared, run);
  const [arcs, labels] = weights;
  const before = confidencesOf(linear.fromWeights(shared, weights)).flat();
  const larger = arcs!.slice();
  larger[larger.indexOf(0)] = 4 * arcs!.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);
  const after = confidencesOf(linear.fromWeights(shared, [larger, labels!])).flat();
  for (const [i, confidence] of after.entries()) expect(confidence).toBeCloseTo(before[i]!, 1);
});

test.each([{}, { decoder: 'eisner' }])(
  'explanations give the same marginals as confidences: %o',
  async (options) => {
    const parser = await trained(options);
    for (const [i, confidences] of confidencesOf(parser).entries()) {
      for (const { dependent, marginal } of parser.explain(sentences[i]!).arcs)
        expect(marginal).toBeCloseTo(confidences[dependent]!, 5);
    }
  },
);

test.each([
  { options: {}, names: ['arcs'] },
  { options: { learner: 'averaged-perceptron' }, names: ['arcs'] },
  { options: { order: 2 }, names: ['arcs', 'parts'] },
  { options: { order: 2, learner: 'averaged-perceptron' }, names: ['arcs', 'parts'] },
])('weights are of about the same size on the scale of probabilities: %o', async ({ options, names }) => {
  const file = ModelReader.fromBuffer(modelBuffer(saved(await trained(options))), 'model');
  const scales = file.fields('graph').fields('scales');
  expect(scales.names).toEqual(names);
  for (const name of names) {
    const weights = file.section(name, 'int16', { isHashed: true }).filter((weight) => weight !== 0);
    const size = Math.sqrt(weights.reduce((sum, weight) => sum + weight ** 2, 0) / weights.length);
    expect(size * scales.number(name, 0, 1)).toBeGreaterThan(0.01);
    expect(size * scales.number(name, 0, 1)).toBeLessThan(0.2);
  }
});

test('models that were saved without scales give the same confidences as before', async () => {
  const writer = saved(await trained({}));
  const { scales, ...rest } = writer.header.graph as { scales: object };
  writer.header.graph = { ...rest, scales: { arcs: 1 / 16_384 } };
  const open = async () =>
    (await openParser(ModelReader.fromBuffer(modelBuffer(writer), 'model'))) as GraphParser;
  const expected = confidencesOf(await open());
  writer.header.graph = rest;
  expect(scales).not.toEqual({ arcs: 1 / 16_384 });
  expect(confidencesOf(await open())).toEqual(expected);
});
