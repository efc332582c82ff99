import { decoders } from '../../src/decode/registry.ts';
import { attributesIn, isAttributeColumn } from '../../src/encoding/features.ts';
import type { NetworkMemory } from '../../src/learn/network/memory.ts';
import type { NetworkModel } from '../../src/learn/network/network-model.ts';
import type { Shape } from '../../src/learn/network/parameters.ts';
import { columnsOver, OPEN_COLUMNS } from '../../src/learn/network/token-values.ts';
import { sha256 } from '../../src/platform/platform.ts';
import { fingerprint } from '../../src/training/about-model.ts';
import {
  type Example,
  encodeFurther,
  encodeHeldOut,
  encodeTreebank,
  numberingOf,
} from '../../src/training/examples.ts';
import { scoreHeldOut } from '../../src/training/held-out.ts';
import { forgetRare, openInputs } from '../../src/training/network/inputs.ts';
import { learningOf, type NetworkLearning } from '../../src/training/network/options.ts';
import { SentenceTrainer } from '../../src/training/network/sentence-training.ts';
import { buildableExamples } from '../../src/training/projective-examples.ts';
import type { Origin, TrainingRun } from '../../src/training/training-run.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import type { Paradigm } from '../parser.ts';
import { learnerOf } from './learner.ts';
import { type NetworkSettings, shapesOf } from './network.ts';
import { NetworkParser, readNetwork } from './network-parser.ts';
import { bounds, type NetworkOptions, networkOptions } from './options.ts';

async function train(treebank: Treebank, options: NetworkOptions, run: TrainingRun): Promise<NetworkParser> {
  const { from } = run;
  const data =
    from === undefined
      ? await readTrainingData(treebank, options, run)
      : await readFurtherData(treebank, options, from, run);
  const { settings, numbering, beside, examples, learning } = data;
  const heldOut = run.dev && (await encodeHeldOut(run.dev, numbering));
  const digests = beside.map(({ digest }) => digest);
  const name = fingerprint(treebank, examples.length, settings, learning, ...digests, ...originOf(run));
  const parserOf = (weights: Float32Array) => new NetworkParser({ settings, numbering, beside, weights });
  const weights = await networkTrainer(data, name, run).train(async (now) => {
    if (heldOut === undefined) return undefined;
    const parser = parserOf(now);
    return scoreHeldOut(heldOut, (example) => parser.findTree(example));
  });
  return parserOf(weights);
}

/** What a training goes on from, for its fingerprint. */
function originOf({ from }: TrainingRun): unknown[] {
  if (from === undefined) return [];
  const { model, replay } = from;
  const digest = sha256().update(new Uint8Array(model.buffer)).digest('hex');
  return [digest, replay?.treebank.digest, replay?.share];
}

/** The schedule and the factor of the learning rate where a trained network learns more. */
const furtherBounds = { steps: 2000, leastEpochs: 3, mostEpochs: 10 };
const FURTHER_RATE = 0.25;

async function readFurtherData(treebank: Treebank, options: NetworkOptions, from: Origin, run: TrainingRun) {
  const { settings, numbering, beside, weights } = readNetwork(from.model);
  const { encoder, candidates } = numbering;
  // Before the vocabularies grow.
  const start = { weights, shapes: shapesOf(settings, { ...numbering, beside }) };
  const { singleRoot, maxLength, decoder } = settings;
  const reading = { open: OPEN_COLUMNS, singleRoot, maxLength };
  const encoded = await encodeFurther(treebank, numbering, reading, run);
  const { isProjective } = decoders[decoder]({ singleRoot });
  const { examples, labels } = buildableExamples(encoded, isProjective, { pseudoProjective: 'none' }, run);
  const extended = candidates.extended(labels.length);
  for (const one of examples)
    for (let d = 1; d <= one.length; d++) extended.add(one, one.heads[d], d, one.labels[d]);
  const learning = learningOf({ ...options, rate: FURTHER_RATE * options.rate }, examples, furtherBounds);
  const added = labels.length - numbering.labels.length;
  run.onNotice?.(`goes on from ${from.model.name}: ${examples.length} sentences, ${added} new labels`);
  const grown = { encoder, labels, candidates: extended };
  return { settings, numbering: grown, beside, examples, learning, start };
}

/** Encodes the sentences of a treebank, and chooses the settings that the options leave to the data. */
export async function readTrainingData(treebank: Treebank, options: NetworkOptions, run: TrainingRun) {
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
    distances: true,
    layers,
    units,
  };
  const learning = { ...learningOf(options, examples, bounds), silver: encoded.silver };
  return { settings, numbering: numberingOf(encoded, buildable), beside, examples, learning };
}

interface NetworkTrainingData extends Omit<NetworkModel<NetworkSettings>, 'weights'> {
  readonly examples: readonly Example[];
  readonly learning: NetworkLearning;
  /** The weights of a trained network to go on from, of these shapes. */
  readonly start?: { readonly weights: Float32Array; readonly shapes: readonly Shape[] } | undefined;
}

function networkTrainer(
  { settings, numbering, beside, examples, learning, start }: NetworkTrainingData,
  fingerprint: string,
  run: TrainingRun,
): SentenceTrainer<Example> {
  const model = { settings, numbering, beside };
  const task = {
    model,
    part: 'network',
    examples,
    learning,
    start,
    module: new URL('./learner.js', import.meta.url),
    open: (memory: NetworkMemory) => learnerOf(model, memory),
  };
  return new SentenceTrainer(task, fingerprint, run);
}

export const network: Paradigm<NetworkOptions> = {
  name: 'network',
  summary: 'A recurrent network reads the sentence and scores all arcs (Dozat & Manning 2017).',
  options: networkOptions,
  takesVectors: true,
  furtherOptions: ['epochs', 'rate', 'batch', 'shuffle'],
  takesSilver: () => true,
  keepsState: () => true,
  train,
  load: NetworkParser.load,
};
