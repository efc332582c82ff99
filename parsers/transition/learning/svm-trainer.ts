import { quantized } from '../../../src/learn/linear/weights.ts';
import { RowExamples, trainRowSvm } from '../../../src/learn/svm/train.ts';
import { Turns } from '../../../src/threads/scheduling.ts';
import type { Example } from '../../../src/training/examples.ts';
import type { TrainingRun } from '../../../src/training/training-run.ts';
import type { SvmSettings } from '../options.ts';
import { StackConfiguration } from '../systems/stack-configuration.ts';
import { ACTIONS, dependentOf, hasLabel, nextAction, type Oracle } from '../systems/system.ts';
import { labelRow, TransitionModel, type TransitionWeights, weightCounts } from '../transition-model.ts';
import type { TransitionTrainingData } from './training-data.ts';

/** log₂ of the number of lists in a chunk (about a megabyte). */
const LOG_CHUNK = 12;

/** Lists of `width` hashes, numbered from 0, stored in chunks: a single array would need its memory twice while growing. */
export class StoredHashes {
  count = 0;
  private readonly chunks: Int32Array[] = [];

  constructor(readonly width: number) {}

  add(hashes: Int32Array): void {
    const { chunks, width } = this;
    const within = this.count % 2 ** LOG_CHUNK;
    if (within === 0) chunks.push(new Int32Array(width << LOG_CHUNK));
    chunks[this.count >> LOG_CHUNK].set(hashes, within * width);
    this.count++;
  }

  /** Copies list n. */
  read(n: number, into: Int32Array): void {
    const chunk = this.chunks[n >> LOG_CHUNK];
    const start = (n % 2 ** LOG_CHUNK) * this.width;
    for (let t = 0; t < this.width; t++) into[t] = chunk[start + t];
  }
}

/** Passes for each classifier; more do not improve accuracy (UD English EWT). */
const PASSES = 10;
const ALL_PASSES = 2 * PASSES;

/**
 * Trains the two classifiers of a greedy parser on the configurations along the oracle's path: one chooses among the
 * permitted actions, one among the labels seen between the two tags. Both are one-vs-rest: 0.5 UAS better than
 * Crammer–Singer on UD English EWT.
 */
export async function trainSvms(
  data: TransitionTrainingData<SvmSettings>,
  { bits, cost }: SvmSettings,
  run: TrainingRun,
): Promise<TransitionWeights> {
  const { labels } = data.numbering;
  const sizes = weightCounts(bits, labels.length);
  const collected = new OracleExamples(data);
  await new Turns(run.signal).forEach(data.examples, (example) => collected.add(example));
  const train = async (rows: RowExamples, size: number, passesBefore: number) => {
    const weights = await trainRowSvm(rows, {
      size,
      cost,
      maxPasses: PASSES,
      seed: run.seed,
      signal: run.signal,
      onPass: ({ pass }) => {
        const total = data.examples.length;
        const epoch = passesBefore + pass;
        run.onProgress?.({ unit: 'pass', epoch, epochs: ALL_PASSES, done: total, total });
      },
    });
    return quantized(weights.weights);
  };
  const actionWeights = await train(collected.actions, sizes.actions, 0);
  const labelWeights =
    labels.length > 1 ? await train(collected.labels, sizes.labels, PASSES) : new Int16Array(sizes.labels);
  const total = data.examples.length;
  run.onProgress?.({ unit: 'pass', epoch: ALL_PASSES, epochs: ALL_PASSES, done: total, total });
  return { actions: actionWeights, labels: labelWeights };
}

/** Collects the examples along the oracle's paths: of actions, and of labels of arcs. */
class OracleExamples {
  private readonly model: TransitionModel;
  private readonly configuration = new StackConfiguration();
  private readonly oracle: Oracle;
  private readonly hashes: StoredHashes;
  readonly actions: RowExamples;
  readonly labels: RowExamples;
  /** By example: the number of its list of hashes, and for labels the action. */
  private readonly actionPlaces: number[] = [];
  private readonly labelPlaces: number[] = [];
  private readonly labelActions: number[] = [];

  constructor(data: TransitionTrainingData<SvmSettings>) {
    this.model = new TransitionModel(data);
    this.oracle = this.model.system.createOracle();
    const { count } = this.model.features;
    this.hashes = new StoredHashes(count);
    this.actions = new RowExamples(ACTIONS, count, (i, rows) => this.readAction(i, rows));
    this.labels = new RowExamples(data.numbering.labels.length, count, (i, rows) => this.readLabel(i, rows));
  }

  add(example: Example): void {
    const { model, configuration, oracle } = this;
    const { system, features } = model;
    features.prepare(example);
    system.start(configuration, example.length);
    oracle.start(example);
    while (!system.isComplete(configuration)) {
      const action = nextAction(oracle, configuration);
      const label = hasLabel(action) ? example.labels[dependentOf(system, configuration, action)] : 0;
      const isChoice = this.addAction(action);
      const isLabelled = hasLabel(action) && this.addLabel(example, action, label);
      if (isChoice || isLabelled) {
        features.extract(configuration);
        this.hashes.add(features.hashes);
      }
      system.apply(configuration, action, label);
    }
  }

  /** Adds an example over the hashes to be stored next, unless only one action is permitted. */
  private addAction(action: number): boolean {
    const { system } = this.model;
    const permitted = system.actions.filter((other) => system.permits(this.configuration, other));
    if (permitted.length === 1) return false;
    this.actionPlaces.push(this.hashes.count);
    this.actions.add(action, permitted);
    return true;
  }

  /** Adds an example over the hashes to be stored next, unless the arc may have only one label. */
  private addLabel(example: Example, action: number, label: number): boolean {
    const candidates = this.model.labelsFor(example, this.configuration, action);
    if (candidates.length === 1) return false;
    this.labelPlaces.push(this.hashes.count);
    this.labelActions.push(action);
    this.labels.add(label, candidates);
    return true;
  }

  private readAction(i: number, rows: Int32Array): void {
    const { mask } = this.model;
    this.hashes.read(this.actionPlaces[i], rows);
    for (let t = 0; t < rows.length; t++) rows[t] &= mask;
  }

  private readLabel(i: number, rows: Int32Array): void {
    const action = this.labelActions[i];
    const { mask } = this.model;
    this.hashes.read(this.labelPlaces[i], rows);
    for (let t = 0; t < rows.length; t++) rows[t] = labelRow(rows[t], action) & mask;
  }
}
