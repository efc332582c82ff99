import { createDecoder } from '../../src/decode/registry.ts';
import { isAttributeColumn } from '../../src/encoding/features.ts';
import { templatesInUse, withoutTitles } from '../../src/encoding/templates/choice.ts';
import { overAttributes } from '../../src/encoding/templates/notation.ts';
import type { LearnerName } from '../../src/learn/linear/learner.ts';
import type { AveragedWeights } from '../../src/learn/linear/weights.ts';
import { quantized, quantizedUnscaled, quantizingFactor } from '../../src/learn/linear/weights.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import { withAttributes, withFineTags } from '../../src/training/attributes.ts';
import type { Example, SilverExamples } from '../../src/training/examples.ts';
import { encodeTreebank, numberingOf } from '../../src/training/examples.ts';
import { furtherExamples, grownNumbering } from '../../src/training/further-examples.ts';
import { judgesEpochs, singleLearner, singleTraining } from '../../src/training/options.ts';
import { buildableExamples } from '../../src/training/projective-examples.ts';
import type { EpochScores, TrainingRun } from '../../src/training/training-run.ts';
import { type StateMemory, TrainingState } from '../../src/training/training-state.ts';
import type { TagColumn } from '../../src/treebank/columns/names.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import type { LinearTrainingData, ScoreWeights } from '../linear-method.ts';
import {
  createLearner,
  furtherLinearOptions,
  LinearMethod,
  LinearTrainer,
  refuseLifting,
  startFrom,
} from '../linear-method.ts';
import type { Paradigm } from '../parser.ts';
import { graphTemplates } from './features/template-sets.ts';
import {
  arcNotation,
  columnsInUse,
  labelNotation,
  partNotations,
  partSectionNames,
} from './features/templates.ts';
import { GraphModel, type ScoreScales } from './graph-model.ts';
import { GraphParser, readGraph } from './graph-parser.ts';
import { labelBits } from './labeller.ts';
import { ArcLearning, LabelLearning } from './learning/arc-learning.ts';
import { PartLearning } from './learning/part-learning.ts';
import { checkTogether, formDropoutOf, type GraphOptions, graphOptions } from './options.ts';
import type { GraphSettings } from './settings.ts';

/** Only the training of a higher order has weights of parts. */
type GraphTrainingState = TrainingState<'arcs' | 'labels'> & {
  readonly weights: { readonly parts?: AveragedWeights };
};

function graphTrainingState(
  { settings, learning }: GraphTrainingData,
  fingerprint: string,
  memory: StateMemory | undefined,
): GraphTrainingState {
  const { bits } = learning;
  const sizes = { arcs: 2 ** bits, labels: 2 ** (bits - 1) };
  return settings.order === undefined
    ? new TrainingState(sizes, fingerprint, memory)
    : new TrainingState({ ...sizes, parts: 2 ** (bits + 1) }, fingerprint, memory);
}

/** Trains a graph parser; for a higher order, the first epochs train the first-order model that prunes the candidates. */
class GraphTrainer extends LinearTrainer<GraphSettings, LearningSettings, 'arcs' | 'labels'> {
  private readonly model: GraphModel;
  private readonly arcs: ArcLearning;
  private parts: PartLearning | undefined;
  private readonly labelling: LabelLearning;
  private readonly heads: Int32Array;
  private readonly labels: Int32Array;
  override training: EpochScores = { uas: Number.NaN, las: Number.NaN };

  constructor(
    data: GraphTrainingData,
    override readonly state: GraphTrainingState,
    run: TrainingRun,
  ) {
    super(data, state, run);
    const { learner } = this;
    this.model = new GraphModel(data);
    const { model } = this;
    const ofArcs = model.higherOrder === undefined ? learner : this.learnerNamed(PRUNING_LEARNER);
    this.arcs = new ArcLearning(model, state.weights.arcs, ofArcs, data.learning.miraTrees);
    this.labelling = new LabelLearning(model, state.weights.labels, learner);
    const longest = data.examples.reduce((most, { length }) => Math.max(most, length), 0);
    this.heads = new Int32Array(longest + 1);
    this.labels = new Int32Array(longest + 1);
  }

  override weights(): Float32Array[] {
    const vectors = super.weights();
    if (this.model.higherOrder === undefined) return vectors;
    return [this.state.weights.arcs.mean(), ...vectors.slice(1)];
  }

  /** Whether this epoch still trains the first-order model that prunes. */
  private get isTrainingPruner(): boolean {
    return this.state.epoch <= (this.data.learning.pruningEpochs ?? 0);
  }

  protected override learn(number: number, example: Example): void {
    const { state, heads, labels } = this;
    this.learnHeads(number, example);
    this.labelling.learn(example, labels);
    for (let d = 1; d <= example.length; d++) {
      if (heads[d] !== example.heads[d]) continue;
      state.heads++;
      if (labels[d] === example.labels[d]) state.rightArcs++;
    }
    state.tokens += example.length;
  }

  private learnHeads(number: number, example: Example): void {
    const { model, state, heads } = this;
    if (model.higherOrder === undefined || this.isTrainingPruner) {
      this.arcs.learn(example, heads);
      return;
    }
    this.parts ??= new PartLearning(
      model,
      model.higherOrder,
      this.data.examples,
      quantizedUnscaled(state.weights.arcs.mean()),
      state.weights.parts!,
      this.learner,
    );
    this.parts.learn(number, example, heads);
  }

  protected override async scores(scoreDev?: ScoreWeights) {
    const { tokens, heads, rightArcs } = this.state;
    this.training = { uas: (100 * heads) / tokens, las: (100 * rightArcs) / tokens };
    // A higher-order parser needs its pruner first: there is nothing to score yet.
    const dev = this.isTrainingPruner ? undefined : await scoreDev?.(this.weights());
    return { training: this.training, dev };
  }
}

class GraphMethod extends LinearMethod<GraphOptions, GraphTrainingData, GraphParser> {
  override epochs({ epochs }: GraphOptions): number {
    return epochs;
  }

  protected override readonly read = readTrainingData;
  protected override readonly readFurther = readFurtherData;

  protected override readonly module: URL = new URL('./paradigm.js', import.meta.url);

  protected override trainer(
    data: GraphTrainingData,
    fingerprint: string,
    run: TrainingRun,
    memory?: StateMemory,
  ): GraphTrainer {
    return new GraphTrainer(data, graphTrainingState(data, fingerprint, memory), run);
  }

  protected override parserOf(data: GraphTrainingData, weights: readonly Float32Array[]): GraphParser {
    const [arcs, labels, parts] = weights;
    return new GraphParser(new GraphModel(data), {
      // Not rescaled: pruning compares differences of scores with a fixed margin.
      arcs: parts === undefined ? quantized(arcs) : quantizedUnscaled(arcs),
      labels: quantized(labels),
      parts: parts && quantized(parts),
      scales: scalesOf(data, arcs, parts),
    });
  }
}

function scalesOf(data: GraphTrainingData, arcs: Float32Array, parts?: Float32Array): ScoreScales {
  const scaleOf = (name: LearnerName, factor: number) => 1 / (createLearner(name, data).temperature * factor);
  const { learner } = data.learning;
  return parts === undefined
    ? { arcs: scaleOf(learner, quantizingFactor([arcs])) }
    : { arcs: scaleOf(PRUNING_LEARNER, 1), parts: scaleOf(learner, quantizingFactor([parts])) };
}

export const linear = new GraphMethod();

/** Number of words that count as common, mostly function words and punctuation; the exact number matters little. */
const COMMON_WORDS = 128;
/** How the first-order model that prunes learns, and in how many epochs: it need not be the best. */
const PRUNING_LEARNER = 'mira';
const PRUNING_EPOCHS = 4;

type LearningSettings = Readonly<ReturnType<typeof epochSettings>> & {
  readonly formDropout?: number | undefined;
  readonly silver?: SilverExamples | undefined;
};

type GraphTrainingData = LinearTrainingData<GraphSettings, LearningSettings>;

function epochSettings(options: GraphOptions) {
  const { patience, keep, shuffle, miraTrees, bits, order = 1 } = options;
  const shards = options.shards === 1 ? undefined : options.shards;
  const pruningEpochs = order === 1 ? undefined : PRUNING_EPOCHS;
  const epochs = options.epochs + (pruningEpochs ?? 0);
  const learner = singleLearner(options);
  return { epochs, patience, keep, shuffle, miraTrees, bits, learner, pruningEpochs, shards };
}

async function readFurtherData(
  treebank: Treebank,
  options: GraphOptions,
  model: ModelReader,
  run: TrainingRun,
): Promise<GraphTrainingData> {
  const { settings, numbering, weights } = readGraph(model);
  refuseLifting(numbering, model);
  const { decoder, singleRoot, maxLength } = settings;
  const { isProjective } = createDecoder(decoder, { singleRoot });
  const { names } = numbering.encoder;
  // The common words do not change.
  const open = names.filter((name) => name !== 'common' && !isAttributeColumn(name));
  const before = settings.labelBits ?? labelBits(numbering.labels.length);
  const reading = { open, singleRoot, maxLength, isProjective };
  const { examples, labels } = await furtherExamples(treebank, numbering, reading, run);
  const ofEpochs = epochSettings(singleTraining(options));
  const formDropout = formDropoutOf(options, names.filter(isAttributeColumn)) || undefined;
  const { arcs, labels: ofLabels, parts } = weights;
  const { learner } = ofEpochs;
  // The arcs of a higher order are not scaled.
  const start =
    parts === undefined
      ? [...startFrom([arcs], learner), ...startFrom([ofLabels], learner)]
      : [{ weights: arcs, scale: 1 }, ...startFrom([ofLabels], learner), ...startFrom([parts], learner)];
  return {
    settings: labelBits(labels.length) === before ? settings : { ...settings, labelBits: before },
    numbering: grownNumbering(numbering, labels, examples),
    learning: { ...ofEpochs, bits: Math.log2(arcs.length), formDropout },
    examples,
    start,
  };
}

export async function readTrainingData(treebank: Treebank, options: GraphOptions, run: TrainingRun) {
  checkTogether(options);
  const { decoder, distance, normalize, stem, maxLength } = options;
  const order = options.order === 1 ? undefined : options.order;
  const ofEpochs = epochSettings(options);
  const chosen = withoutTitles(graphTemplates.choose(options));
  const columns = (tags: readonly TagColumn[]) => columnsInUse(chosen, tags);
  const whole = await encodeTreebank(treebank, columns, options, run);
  const all = Object.values(chosen).flat();
  const fineTag = options.tag === undefined ? withFineTags(whole, all, run) : undefined;
  const { encoded, attributes } = withAttributes(whole, all);
  const formDropout = formDropoutOf(options, attributes) || undefined;
  const learning = { ...ofEpochs, formDropout, silver: encoded.silver };
  const { encoder, tags, singleRoot, examples, guides } = encoded;
  encoder.keepMostFrequent('common', COMMON_WORDS, examples);
  const readable = { encoder, tags, file: treebank.name };
  const inUse = (list: readonly string[], notation = arcNotation) =>
    templatesInUse(overAttributes(list, attributes), notation, readable, options.templates);
  const ofParts = partSectionNames
    .filter((name) => chosen[name].length > 0)
    .map((name) => [name, inUse(chosen[name], partNotations[name].notation)]);
  const templates = {
    arcs: inUse(chosen.arcs),
    labels: inUse(chosen.labels, labelNotation),
    ...Object.fromEntries(ofParts),
  };
  const settings = {
    decoder,
    order,
    templates,
    distance,
    tags,
    fineTag,
    normalize,
    stem,
    singleRoot,
    maxLength,
    guides,
    labelBits: undefined,
  };
  // Trees that the decoder cannot find are left out: they would cause updates in every epoch.
  const { isProjective } = createDecoder(decoder, { singleRoot });
  const reachable = buildableExamples(encoded, isProjective, options, run);
  return { settings, numbering: numberingOf(encoded, reachable), learning, examples: reachable.examples };
}

/** Graph-based dependency parsing: the primary paradigm. */
export const graph: Paradigm<GraphOptions> = {
  name: 'graph',
  summary: 'Scores every possible arc, and takes the best tree (McDonald, Crammer & Pereira 2005).',
  options: graphOptions,
  defaults: { order: 1 },
  checkOptions: checkTogether,
  templates: graphTemplates,
  takesGuides: true,
  furtherOptions: [...furtherLinearOptions, 'shards'],
  takesSilver: () => true,
  keepsState: () => true,
  needsHeldOut: judgesEpochs,
  train: (treebank, options, run) => linear.train(treebank, options, run),
  load: GraphParser.load,
  linear,
};
