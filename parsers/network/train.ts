import { decoders } from '../../src/decode/registry.ts';
import { attributesIn, isAttributeColumn } from '../../src/encoding/features.ts';
import { columnsOver, OPEN_COLUMNS } from '../../src/learn/network/token-values.ts';
import { fingerprint } from '../../src/training/about-model.ts';
import { encodeHeldOut, encodeTreebank, numberingOf } from '../../src/training/examples.ts';
import { scoreHeldOut } from '../../src/training/held-out.ts';
import { forgetRare, openInputs } from '../../src/training/network/inputs.ts';
import { learningOf } from '../../src/training/network/options.ts';
import { buildableExamples } from '../../src/training/projective-examples.ts';
import type { TrainingRun } from '../../src/training/training-run.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import { NetworkParser } from './network-parser.ts';
import { bounds, type NetworkOptions } from './options.ts';
import type { NetworkSettings } from './settings.ts';
import { type NetworkTrainingData, networkTrainer } from './trainer.ts';

export async function train(
  treebank: Treebank,
  options: NetworkOptions,
  run: TrainingRun,
): Promise<NetworkParser> {
  const data = await readTrainingData(treebank, options, run);
  const { settings, numbering, beside, examples, learning } = data;
  const heldOut = run.dev && (await encodeHeldOut(run.dev, numbering));
  const digests = beside.map(({ digest }) => digest);
  const name = fingerprint(treebank, examples.length, settings, learning, ...digests);
  const parserOf = (weights: Float32Array) => new NetworkParser(settings, numbering, beside, weights);
  const weights = await networkTrainer(data, name, run).train(async (now) => {
    if (heldOut === undefined) return undefined;
    const parser = parserOf(now);
    return scoreHeldOut(heldOut, (example) => parser.findTree(example));
  });
  return parserOf(weights);
}

/** Encodes the sentences of a treebank, and chooses the settings that the options leave to the data. */
export async function readTrainingData(
  treebank: Treebank,
  options: NetworkOptions,
  run: TrainingRun,
): Promise<NetworkTrainingData> {
  const { decoder, layers, units, normalize, maxLength } = options;
  const opened = await openInputs(options);
  const keepsForms = opened.isEmpty ? undefined : true;
  const asked = { ...options, stem: 'none', keepsForms };
  const whole = await encodeTreebank(treebank, columnsOver, asked, run);
  const beside = opened.inputs(whole.encoder, run);
  const { encoder, tags, singleRoot } = whole;
  const attributes = attributesIn(encoder.featsIn(whole.examples));
  // A single attribute is the whole string.
  const added = attributes.length > 1 ? attributes : [];
  const encoded = { ...whole, examples: encoder.addAttributes(added, whole.examples) };
  const ofAttributes = encoder.names.filter(isAttributeColumn);
  forgetRare([...OPEN_COLUMNS, ...ofAttributes], encoder, encoded.examples);
  const columns = [...columnsOver(tags), ...ofAttributes].filter((name) => encoder.isFilled(name));
  const isProjective = decoders[decoder]({ singleRoot }).isProjective;
  const buildable = buildableExamples(encoded, isProjective, { pseudoProjective: 'none' }, run);
  const { examples } = buildable;
  const settings: NetworkSettings = {
    decoder,
    tags,
    normalize,
    stem: 'none',
    keepsForms,
    singleRoot,
    maxLength,
    columns,
    layers,
    units,
  };
  const tokens = examples.reduce((sum, { length }) => sum + length, 0);
  const learning = { ...learningOf(options, tokens, bounds), silver: encoded.silver };
  return { settings, numbering: numberingOf(encoded, buildable), beside, examples, learning };
}
