import type { Numbering, NumberingSettings } from '../src/encoding/numbering.ts';
import { OptionError } from '../src/errors.ts';
import { type Learner, type LearnerName, learners, WeighingLearner } from '../src/learn/linear/learner.ts';
import { rootMeanSquare } from '../src/learn/linear/weights.ts';
import { Random } from '../src/learn/random.ts';
import type { ModelReader } from '../src/model/model-reader.ts';
import { Turns } from '../src/threads/scheduling.ts';
import { fingerprint } from '../src/training/about-model.ts';
import { type LearnEpoch, runEpochs } from '../src/training/epochs.ts';
import { type Example, encodeHeldOut, FormDropout, type SilverExamples } from '../src/training/examples.ts';
import { originOf } from '../src/training/further-examples.ts';
import { scoreHeldOut } from '../src/training/held-out.ts';
import { BAYES_POINT, judgesEpochs, type Keep } from '../src/training/options.ts';
import type { Shard, ShardLearner, ShardWorkerData } from '../src/training/shards/parameter-mixing.ts';
import { ParameterMixing, ShardThread } from '../src/training/shards/parameter-mixing.ts';
import type {
  EpochScores,
  LinearTraining,
  SharedTraining,
  TrainingRun,
} from '../src/training/training-run.ts';
import type { StateMemory, TrainedWeights, TrainingState } from '../src/training/training-state.ts';
import type { Treebank } from '../src/treebank/sentence.ts';
import type { EncodedParser } from './parser.ts';
import type { SharedExamples, SharedNumbering } from './shared-examples.ts';
import { openExamples, openNumbering, shareExamples, shareNumbering } from './shared-examples.ts';

interface EpochSettings {
  readonly epochs: number;
  readonly patience?: number | undefined;
  readonly keep: Keep;
  readonly shuffle: boolean;
  readonly learner: LearnerName;
  /** Strength of `FormDropout`; 0 by default. */
  readonly formDropout?: number | undefined;
  readonly silver?: SilverExamples | undefined;
  /** Number of shards for iterative parameter mixing (`ParameterMixing`); 1 by default. */
  readonly shards?: number | undefined;
}

export interface LinearTrainingData<Settings, Learning> {
  readonly settings: Settings;
  readonly numbering: Numbering;
  readonly learning: Learning;
  readonly examples: readonly Example[];
  /** Initial weights from a trained model, in the order of the training state; absent: all are 0. */
  readonly start?: readonly TrainedWeights[] | undefined;
}

export type ScoreWeights = (weights: readonly Float32Array[]) => Promise<EpochScores | undefined>;

/** Trains the weights of one linear model, example by example; subclasses provide the model and its features. */
export abstract class LinearTrainer<
  Settings = unknown,
  Learning extends EpochSettings = EpochSettings,
  Name extends string = string,
> {
  /** Scores of the predictions made during the last whole epoch, if they are counted. */
  readonly training?: EpochScores | undefined;
  protected readonly learner: Learner;
  private readonly weighing: WeighingLearner[] = [];
  private readonly dropout: FormDropout | undefined;

  constructor(
    protected readonly data: LinearTrainingData<Settings, Learning>,
    readonly state: TrainingState<Name>,
    protected readonly run: TrainingRun,
  ) {
    const { learning, numbering, examples, start } = data;
    this.learner = this.learnerNamed(learning.learner);
    if (start !== undefined) state.start(start);
    if (learning.formDropout)
      this.dropout = new FormDropout(numbering.encoder, examples, learning.formDropout);
  }

  /** Runs the remaining epochs, scoring after each. When aborted, keeps its state and throws `AbortError`. */
  async train(scoreDev?: ScoreWeights, learnEpoch?: LearnEpoch): Promise<void> {
    const { data, state, run } = this;
    const { epochs, patience, shuffle, silver } = data.learning;
    const task = {
      state,
      epochs,
      patience,
      shuffle,
      silver,
      total: data.examples.length,
      learn: (i: number) => this.learnNumber(i),
      learnEpoch,
      scores: () => this.scores(scoreDev),
    };
    await runEpochs(task, run);
  }

  /** Learns from the examples of a shard, beginning with the weights `start`; counts them in `done`. */
  async learnShard(
    { number, order, position }: Shard,
    { start, done }: Pick<ShardWorkerData, 'start' | 'done'>,
  ): Promise<void> {
    const { state, run } = this;
    state.copy(position, start);
    const turns = new Turns(run.signal);
    for (let k = 0; k < order.length; k++) {
      if (order[k] % done.length !== number) continue;
      state.done = k;
      this.learnNumber(order[k]);
      done[number]++;
      if (turns.isDue) await turns.give();
    }
  }

  weights(): Float32Array[] {
    return this.state.vectors(this.learner.averaged);
  }

  private learnNumber(i: number): void {
    const { examples, learning } = this.data;
    const { silver } = learning;
    const weight = silver === undefined || i < silver.from ? 1 : silver.weight;
    for (const learner of this.weighing) learner.weight = weight;
    this.learn(i, this.withWordDropout(examples[i]));
  }

  protected learnerNamed(name: LearnerName): Learner {
    const learner = createLearner(name, this.data);
    if (learner instanceof WeighingLearner) this.weighing.push(learner);
    return learner;
  }

  /** Updates the weights by an example, after word dropout. */
  protected abstract learn(number: number, example: Example): void;

  protected async scores(scoreDev?: ScoreWeights) {
    return { dev: await scoreDev?.(this.weights()) };
  }

  /** Applies word dropout, seeded for every sentence, so that checkpoints need no generator state. */
  private withWordDropout(example: Example): Example {
    const { dropout, run, state } = this;
    return dropout?.applyTo(example, new Random(run.seed, state.epoch, -1 - state.done)) ?? example;
  }
}

/**
 * The learner of this name; with fractional steps if silver trees weigh less than gold ones, if training
 * continues from averaged weights, or if the weights of shards are averaged.
 */
export function createLearner(name: LearnerName, { learning, start }: TrainedBy): Learner {
  const isWhole = learning.silver === undefined && start === undefined && learning.shards === undefined;
  return isWhole ? learners[name] : new WeighingLearner(learners[name]);
}

type TrainedBy = Pick<LinearTrainingData<unknown, EpochSettings>, 'learning' | 'start'>;

/** Options of further training of a linear model. */
export const furtherLinearOptions = ['epochs', 'patience', 'keep', 'shuffle', 'formDropout'] as const;

/**
 * Initial weights for further training. A model holds averaged weights times an unknown factor: they are scaled to the root
 * mean square that is usual after training, all vectors of `trained` by the same factor.
 */
export function startFrom(trained: readonly Int16Array[], name: LearnerName): TrainedWeights[] {
  const size = rootMeanSquare(trained);
  const { usualSize, unit } = new WeighingLearner(learners[name]);
  return trained.map((weights) => ({ weights, scale: size === 0 ? 1 : (usualSize * unit) / size }));
}

/** Refuses pseudo-projective models: their lifted labels must be the last ones, but new labels would come after them. */
export function refuseLifting({ lifting }: Numbering, model: ModelReader): void {
  if (lifting !== undefined) model.refuse('a model with pseudo-projective labels does not learn further');
}

type AnyData = LinearTrainingData<NumberingSettings, EpochSettings>;
type HeldOut = readonly Example[] | undefined;

/** Trains linear models over encoded sentences in epochs: one model, or the members of a Bayes Point Machine in threads. */
export abstract class LinearMethod<Options, Data extends AnyData, Parser extends EncodedParser>
  implements LinearTraining<Options, Parser>
{
  abstract epochs(options: Options): number;

  protected abstract read(treebank: Treebank, options: Options, run: TrainingRun): Promise<Data>;

  /** Reads the data for further training of the model in `run.from`. */
  protected abstract readFurther(
    treebank: Treebank,
    options: Options,
    model: ModelReader,
    run: TrainingRun,
  ): Promise<Data>;

  protected abstract trainer(
    data: Data,
    fingerprint: string,
    run: TrainingRun,
    memory?: StateMemory,
  ): LinearTrainer;

  /** The built module that exports this method as `linear`, for the threads that train shards. */
  protected readonly module?: URL;

  protected abstract parserOf(data: Data, weights: readonly Float32Array[]): Parser;

  /** Trains one parser, resuming from the run's saved state of the same training. */
  async train(treebank: Treebank, options: Options, run: TrainingRun): Promise<Parser> {
    const { from } = run;
    const data =
      from === undefined
        ? await this.read(treebank, options, run)
        : await this.readFurther(treebank, options, from.model, run);
    const heldOut = await readHeldOut(data, run);
    const name = nameOf(treebank, data, run);
    const judge = (state: TrainingState<string>) => this.judge(data, heldOut, state, run.signal);
    const trainer = await this.learn(data, name, run, heldOut && judge);
    const isBest = data.learning.keep === 'best';
    return this.parserOf(data, isBest ? trainer.state.best.weights : trainer.weights());
  }

  async share(treebank: Treebank, options: Options, run: TrainingRun): Promise<SharedLinearTraining<Data>> {
    const data = await this.read(treebank, options, run);
    if (data.learning.keep === 'best') {
      throw new OptionError(
        (option) => `${option('keep', 'best')} does not go with ${option('learner', BAYES_POINT)}`,
      );
    }
    const heldOut = await readHeldOut(data, run);
    const { learning, examples } = data;
    return {
      ...shareData(data),
      fingerprint: nameOf(treebank, data, run),
      sentences: learning.epochs * examples.length,
      mayEndEarly: learning.patience !== undefined,
      heldOut: heldOut && shareExamples(heldOut),
    };
  }

  async trainMember(shared: SharedLinearTraining<Data>, run: TrainingRun) {
    const { data, heldOut } = openShared(shared);
    const judge = (state: TrainingState<string>) => this.judge(data, heldOut, state, run.signal);
    const isJudged = judgesEpochs(data.learning);
    const trainer = await this.learn(data, shared.fingerprint, run, isJudged ? judge : undefined);
    const weights = trainer.weights();
    const dev = await this.scoreOf(data, heldOut, weights, run.signal);
    return { weights, training: trainer.training, dev };
  }

  fromWeights(shared: SharedLinearTraining<Data>, weights: readonly Float32Array[]): Parser {
    return this.parserOf(openShared(shared).data, weights);
  }

  async score(
    shared: SharedLinearTraining<Data>,
    weights: readonly Float32Array[],
    signal: AbortSignal | undefined,
  ) {
    const { data, heldOut } = openShared(shared);
    return this.scoreOf(data, heldOut, weights, signal);
  }

  /** Opens the learner of shards in a worker thread; its state uses the memory `own`. */
  openShardLearner({ shared, seed, own, ...others }: ShardWorkerData): ShardLearner {
    const { data } = openShared(shared as SharedData<Data>);
    return this.shardLearner(data, { seed, jobs: 1 }, others, own);
  }

  private async learn(
    data: Data,
    name: string,
    run: TrainingRun,
    judge?: (state: TrainingState<string>) => ScoreWeights,
  ): Promise<LinearTrainer> {
    const { shards = 1 } = data.learning;
    const { length } = data.examples;
    if (shards > length)
      throw new OptionError((option) => `${option('shards', shards)}: more than the ${length} sentences`);
    const threads = Math.min(run.jobs, shards);
    const trainer = this.trainer(data, `${name} ${run.seed}`, run, threads > 1 ? 'shared' : undefined);
    const scoreDev = judge?.(trainer.state);
    if (shards === 1) await trainer.train(scoreDev);
    else {
      const mixing = this.mixing(data, trainer.state, run, { shards, threads });
      await trainer.train(scoreDev, mixing.learnEpoch).finally(() => mixing.end());
    }
    return trainer;
  }

  private mixing(
    data: Data,
    state: TrainingState<string>,
    run: TrainingRun,
    { shards, threads }: { readonly shards: number; readonly threads: number },
  ): ParameterMixing {
    const start = state.arrays;
    if (threads === 1) {
      const done = new Int32Array(shards);
      return new ParameterMixing(state, [this.shardLearner(data, run, { start, done })], done, run.signal);
    }
    const done = new Int32Array(new SharedArrayBuffer(4 * shards));
    const common = { module: this.module!.href, shared: shareData(data), seed: run.seed, start, done };
    const learners = Array.from({ length: threads }, () => new ShardThread(state.another('shared'), common));
    return new ParameterMixing(state, learners, done, run.signal);
  }

  private shardLearner(
    data: Data,
    run: TrainingRun,
    whole: Pick<ShardWorkerData, 'start' | 'done'>,
    memory?: StateMemory,
  ): ShardLearner {
    const trainer = this.trainer(data, '', run, memory);
    return { state: trainer.state, learn: (shard) => trainer.learnShard(shard, whole) };
  }

  /** Scores weights on the held-out data after each epoch; with `keep: 'best'`, stores the best weights. */
  private judge(
    data: Data,
    heldOut: HeldOut,
    state: TrainingState<string>,
    signal: AbortSignal | undefined,
  ): ScoreWeights {
    const { learning } = data;
    return async (weights) => {
      const scores = await this.scoreOf(data, heldOut, weights, signal);
      if (scores !== undefined && judgesEpochs(learning))
        state.best.offer(state.epoch, scores, learning.keep === 'best' ? weights : undefined);
      return scores;
    };
  }

  private async scoreOf(
    data: Data,
    heldOut: HeldOut,
    weights: readonly Float32Array[],
    signal: AbortSignal | undefined,
  ) {
    if (heldOut === undefined) return undefined;
    const parser = this.parserOf(data, weights);
    return scoreHeldOut(heldOut, (example) => parser.findTree(example), signal);
  }
}

/** Training data that threads can share: numbers in shared memory, and strings. */
interface SharedData<Data extends AnyData> {
  readonly settings: Data['settings'];
  readonly learning: Data['learning'];
  readonly numbering: SharedNumbering;
  readonly train: SharedExamples;
  readonly heldOut?: SharedExamples | undefined;
}

type SharedLinearTraining<Data extends AnyData> = SharedTraining & SharedData<Data>;

function shareData<Data extends AnyData>({
  settings,
  learning,
  numbering,
  examples,
}: Data): SharedData<Data> {
  return { settings, learning, numbering: shareNumbering(numbering), train: shareExamples(examples) };
}

function openShared<Data extends AnyData>(shared: SharedData<Data>) {
  const { settings, learning } = shared;
  const numbering = openNumbering(shared.numbering, settings);
  const data: AnyData = { settings, learning, numbering, examples: openExamples(shared.train) };
  return { data: data as Data, heldOut: shared.heldOut && openExamples(shared.heldOut) };
}

/** The fingerprint of a training, seed excluded; held-out data count if they determine the number of epochs or the best. */
function nameOf(
  treebank: Treebank,
  { examples, settings, learning, numbering }: AnyData,
  run: TrainingRun,
): string {
  const scheme = numbering.lifting ? [numbering.lifting.scheme] : [];
  const judges = judgesEpochs(learning) ? [run.dev!.digest] : [];
  return fingerprint(treebank, examples.length, settings, learning, ...scheme, ...judges, ...originOf(run));
}

/** The held-out examples, if there are any; throws `OptionError` if the options need some. */
async function readHeldOut({ numbering, learning }: AnyData, { dev }: TrainingRun): Promise<HeldOut> {
  if (dev !== undefined) return encodeHeldOut(dev, numbering);
  if (!judgesEpochs(learning)) return undefined;
  const { patience } = learning;
  throw new OptionError((option) => {
    const asked = patience === undefined ? option('keep', 'best') : option('patience', patience);
    return `${asked} goes with ${option('dev')}`;
  });
}
