import { Random } from '../../../src/learn/random.ts';
import { runEpochs } from '../../../src/training/epochs.ts';
import type { Example } from '../../../src/training/examples.ts';
import type { EpochScores, TrainingRun } from '../../../src/training/training-run.ts';
import { ArcScorer } from '../scoring/arc-scorer.ts';
import { Network } from '../scoring/network.ts';
import { crossEntropy } from './losses.ts';
import { NetworkState } from './network-state.ts';
import type { NetworkTrainingData } from './training-data.ts';
import { ValueDropout } from './value-dropout.ts';

/** Slopes that are longer are shortened to this. */
const LONGEST_SLOPES = 5;

/**
 * Takes a network through all epochs of training: each step goes against the slopes of the cross entropy of heads and
 * labels, added up over a batch of sentences. Steps become shorter, down to nothing at the end.
 */
export class NetworkTrainer {
  readonly state: NetworkState;
  private readonly network: Network;
  private readonly dropout: ValueDropout;

  constructor(
    private readonly data: NetworkTrainingData,
    fingerprint: string,
    private readonly run: TrainingRun,
  ) {
    const { settings, numbering, examples } = data;
    this.network = new Network(settings, numbering, true);
    this.network.begin(new Random(run.seed));
    this.state = new NetworkState(this.network.parameters, fingerprint);
    this.dropout = new ValueDropout(numbering, settings, examples);
  }

  /** Goes through all epochs that are left. Aborted, it keeps its state and throws an `AbortError`. */
  async train(scoreDev: (weights: Float32Array) => Promise<EpochScores | undefined>): Promise<void> {
    const { state, data } = this;
    const { epochs, shuffle } = data.learning;
    const task = {
      ...{ state, epochs, shuffle, total: data.examples.length },
      learn: (i: number) => this.learn(data.examples[i]),
      scores: async () => ({ dev: await scoreDev(this.weights()) }),
    };
    await runEpochs(task, this.run);
  }

  /** What was learnt. */
  weights(): Float32Array {
    return this.network.parameters.weights.values.slice();
  }

  private learn(example: Example): void {
    const { state, network, run, data } = this;
    // Drawn anew for every sentence, so that a resumed training needs no generator's state.
    const random = new Random(run.seed, state.epoch, -1 - state.done);
    network.read(this.dropout.applyTo(example, random), random);
    network.scoreLabels(example.heads, example.length);
    this.fillSlopes(example);
    network.backward(example.heads, example.length);
    state.tokens += example.length;
    const isLast = state.done === data.examples.length - 1;
    if (state.tokens >= data.learning.batch || isLast) this.step();
  }

  private step(): void {
    const { state, network, data } = this;
    const { epochs, rate } = data.learning;
    const left = 1 - (state.epoch - 1 + state.done / data.examples.length) / epochs;
    state.steps++;
    network.parameters.step(state.steps, 1 / state.tokens, rate * left, LONGEST_SLOPES);
    state.tokens = 0;
  }

  /** By how much the scores of arcs and labels are to change. */
  private fillSlopes({ length, heads, labels }: Example): void {
    const { arcs, labels: labelScorer } = this.network;
    const rowLength = ArcScorer.rowLength(length + 1);
    const labelCount = this.data.numbering.labels.length;
    const [arcSlopes, labelSlopes] = [arcs.scoreSlopes!.values, labelScorer.scoreSlopes!.values];
    arcSlopes.fill(0, 0, rowLength * (length + 1));
    labelSlopes.fill(0, 0, labelScorer.rowLength);
    for (let d = 1; d <= length; d++) {
      const arcStart = d * rowLength;
      const isRight = crossEntropy(arcs.scores.values, arcSlopes, arcStart, length + 1, heads[d], d);
      if (!isRight) this.state.mistakes++;
      const labelStart = d * labelScorer.rowLength;
      crossEntropy(labelScorer.scores.values, labelSlopes, labelStart, labelCount, labels[d], -1);
    }
  }
}
