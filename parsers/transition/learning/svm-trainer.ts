import { setImmediate as turn } from 'node:timers/promises';
import type { Example } from '../../../src/encoding/examples.ts';
import { quantized } from '../../../src/learn/linear/weights.ts';
import { RowExamples, trainRowSvm } from '../../../src/learn/svm/row-svm.ts';
import type { TrainingRun } from '../../parser.ts';
import type { SvmSettings } from '../settings.ts';
import type { StackConfiguration } from '../systems/stack-configuration.ts';
import { hasLabel, KINDS, nextKind, type Oracle } from '../systems/system.ts';
import type { TransitionTrainingData } from '../training-data.ts';
import { labelRow, TransitionModel, type TransitionWeights, weightCounts } from '../transition-model.ts';
import { StoredHashes } from './stored-hashes.ts';

/** Further passes change the weights, but not the accuracy (UD English EWT). */
const PASSES = 10;

/** Sentences made into examples before anything else, a signal among it, has its turn. */
const SENTENCES_A_TURN = 256;

/** Of both classifiers. */
export const ALL_PASSES = 2 * PASSES;

/**
 * Trains the two classifiers of a greedy parser on the configurations along the oracle's way: one chooses the
 * kind of the next transition among those permitted, one the label among those seen between the two tags.
 * Both are one-vs-rest: better by 0.5 UAS than Crammer–Singer on UD English EWT.
 */
export async function trainSvms(
  data: TransitionTrainingData,
  { bits, cost }: SvmSettings,
  run: TrainingRun,
): Promise<TransitionWeights> {
  const { labels } = data;
  const sizes = weightCounts(bits, labels.length);
  const { kinds, labelled } = await new OracleWalk(data).collect(run.signal);
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
  return {
    transitions: await train(kinds, sizes.transitions, 0),
    labels: labels.length > 1 ? await train(labelled, sizes.labels, PASSES) : new Int16Array(sizes.labels),
  };
}

/**
 * Goes the oracle's way through all training sentences, and makes examples of what it sees. What takes memory
 * are the features of the configurations: both classifiers learn from one copy of their hashes.
 */
class OracleWalk {
  private readonly model: TransitionModel;
  private readonly configuration: StackConfiguration;
  private readonly oracle: Oracle<StackConfiguration>;
  private readonly hashes: StoredHashes;
  private readonly kinds: RowExamples;
  private readonly labelled: RowExamples;
  /** Of each example: the number of its hashes; of one with a label also the kind of transition. */
  private readonly kindPlaces: number[] = [];
  private readonly labelPlaces: number[] = [];
  private readonly labelKinds: number[] = [];

  constructor(private readonly data: TransitionTrainingData) {
    this.model = new TransitionModel(data);
    this.configuration = this.model.system.create();
    this.oracle = this.model.system.createOracle();
    const { count } = this.model.features;
    this.hashes = new StoredHashes(count);
    this.kinds = new RowExamples(KINDS, count, (i, rows) => this.readKind(i, rows));
    this.labelled = new RowExamples(data.labels.length, count, (i, rows) => this.readLabel(i, rows));
  }

  async collect(signal: AbortSignal | undefined): Promise<{ kinds: RowExamples; labelled: RowExamples }> {
    const { kinds, labelled } = this;
    for (const [i, example] of this.data.examples.entries()) {
      this.walk(example);
      if (i % SENTENCES_A_TURN > 0) continue;
      await turn();
      signal?.throwIfAborted();
    }
    return { kinds, labelled };
  }

  private walk(example: Example): void {
    const { model, configuration, oracle } = this;
    const { system, features } = model;
    features.prepare(example);
    system.start(configuration, example.length);
    oracle.start(example);
    while (!system.isComplete(configuration)) {
      const kind = nextKind(oracle, configuration);
      const label = hasLabel(kind) ? example.labels[system.dependentOf(configuration, kind)] : 0;
      const isChoice = this.addKind(kind);
      const isLabelled = hasLabel(kind) && this.addLabel(example, kind, label);
      if (isChoice || isLabelled) {
        features.extract(configuration);
        this.hashes.add(features.hashes);
      }
      system.apply(configuration, kind, label);
    }
  }

  /** Makes an example of the hashes to be stored next, where the kind is not the only one permitted. */
  private addKind(kind: number): boolean {
    const { system } = this.model;
    const permitted = system.kinds.filter((other) => system.permits(this.configuration, other));
    if (permitted.length === 1) return false;
    this.kindPlaces.push(this.hashes.count);
    this.kinds.add(kind, permitted);
    return true;
  }

  /** The same, where the label is not the only one that the arc may have. */
  private addLabel(example: Example, kind: number, label: number): boolean {
    const candidates = this.model.labelsFor(example, this.configuration, kind);
    if (candidates.length === 1) return false;
    this.labelPlaces.push(this.hashes.count);
    this.labelKinds.push(kind);
    this.labelled.add(label, candidates);
    return true;
  }

  private readKind(i: number, rows: Int32Array): void {
    const place = this.kindPlaces[i];
    const { mask } = this.model;
    const chunk = this.hashes.chunk(place);
    const start = this.hashes.start(place);
    for (let t = 0; t < rows.length; t++) rows[t] = chunk[start + t] & mask;
  }

  private readLabel(i: number, rows: Int32Array): void {
    const place = this.labelPlaces[i];
    const kind = this.labelKinds[i];
    const { mask } = this.model;
    const chunk = this.hashes.chunk(place);
    const start = this.hashes.start(place);
    for (let t = 0; t < rows.length; t++) rows[t] = labelRow(chunk[start + t], kind) & mask;
  }
}
