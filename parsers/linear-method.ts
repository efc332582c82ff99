import { ColumnEncoder, type EncodedColumn, type LearntColumn } from '../src/encoding/columns.ts';
import { LabelCandidates } from '../src/encoding/label-candidates.ts';
import type { Numbering, NumberingSettings } from '../src/encoding/numbering.ts';
import { OptionError } from '../src/errors.ts';
import { NumberReader } from '../src/model/model-reader.ts';
import { fingerprint } from '../src/training/about-model.ts';
import { type Example, encodeHeldOut } from '../src/training/examples.ts';
import { scoreHeldOut } from '../src/training/held-out.ts';
import { BAYES_POINT, judgesEpochs } from '../src/training/options.ts';
import type { LinearTraining, SharedTraining, TrainingRun } from '../src/training/training-run.ts';
import type { TrainingState } from '../src/training/training-state.ts';
import type { Treebank } from '../src/treebank/sentence.ts';
import type { EpochSettings, LinearTrainer, LinearTrainingData, ScoreWeights } from './linear-trainer.ts';
import type { EncodedParser } from './parser.ts';

type AnyData = LinearTrainingData<NumberingSettings, EpochSettings>;
type HeldOut = readonly Example[] | undefined;

/** Trains linear models over encoded sentences in epochs: one, or several apart, each in a thread. */
export abstract class LinearMethod<Options, Data extends AnyData, Parser extends EncodedParser>
  implements LinearTraining<Options, Parser>
{
  abstract epochs(options: Options): number;

  protected abstract read(treebank: Treebank, options: Options, run: TrainingRun): Promise<Data>;

  protected abstract trainer(data: Data, fingerprint: string, run: TrainingRun): LinearTrainer;

  protected abstract parserOf(data: Data, weights: readonly Float32Array[]): Parser;

  /** Trains one parser, resuming from the run's saved state of the same training. */
  async train(treebank: Treebank, options: Options, run: TrainingRun): Promise<Parser> {
    const data = await this.read(treebank, options, run);
    const heldOut = await readHeldOut(data, run);
    const isJudged = judgesEpochs(data.learning);
    if (isJudged && heldOut === undefined) throw lackOfHeldOut(data.learning);
    const name = nameOf(treebank, data, isJudged ? run.dev : undefined);
    const trainer = this.trainer(data, `${name} ${run.seed}`, run);
    await trainer.train(this.judge(data, heldOut, trainer.state));
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
    const { settings, numbering, learning, examples } = data;
    const isJudged = judgesEpochs(learning);
    if (isJudged && heldOut === undefined) throw lackOfHeldOut(learning);
    return {
      fingerprint: nameOf(treebank, data, isJudged ? run.dev : undefined),
      sentences: learning.epochs * examples.length,
      mayEndEarly: learning.patience !== undefined,
      settings,
      learning,
      numbering: shareNumbering(numbering),
      train: shareExamples(examples),
      heldOut: heldOut && shareExamples(heldOut),
    };
  }

  async trainMember(shared: SharedLinearTraining<Data>, run: TrainingRun) {
    const { data, heldOut } = openShared(shared);
    const trainer = this.trainer(data, `${shared.fingerprint} ${run.seed}`, run);
    const isJudged = judgesEpochs(data.learning);
    await trainer.train(isJudged ? this.judge(data, heldOut, trainer.state) : undefined);
    const weights = trainer.weights();
    return { weights, training: trainer.training, dev: await this.scoreOf(data, heldOut, weights) };
  }

  fromWeights(shared: SharedLinearTraining<Data>, weights: readonly Float32Array[]): Parser {
    return this.parserOf(openShared(shared).data, weights);
  }

  async score(shared: SharedLinearTraining<Data>, weights: readonly Float32Array[]) {
    const { data, heldOut } = openShared(shared);
    return this.scoreOf(data, heldOut, weights);
  }

  /** Scores weights on the held-out data after each epoch; remembers the best if that is asked for. */
  private judge(data: Data, heldOut: HeldOut, state: TrainingState<string>): ScoreWeights {
    const { learning } = data;
    return async (weights) => {
      const scores = await this.scoreOf(data, heldOut, weights);
      if (scores !== undefined && judgesEpochs(learning))
        state.best.offer(state.epoch, scores, learning.keep === 'best' ? weights : undefined);
      return scores;
    };
  }

  private async scoreOf(data: Data, heldOut: HeldOut, weights: readonly Float32Array[]) {
    if (heldOut === undefined) return undefined;
    const parser = this.parserOf(data, weights);
    return scoreHeldOut(heldOut, (example) => parser.findTree(example));
  }
}

/** Training data that threads can share: numbers in shared memory, and strings. */
interface SharedLinearTraining<Data extends AnyData> extends SharedTraining {
  readonly settings: Data['settings'];
  readonly learning: Data['learning'];
  readonly numbering: SharedNumbering;
  readonly train: SharedExamples;
  readonly heldOut?: SharedExamples | undefined;
}

function openShared<Data extends AnyData>(shared: SharedLinearTraining<Data>) {
  const { settings, learning } = shared;
  const numbering = openNumbering(shared.numbering, settings);
  const data: AnyData = { settings, learning, numbering, examples: openExamples(shared.train) };
  return { data: data as Data, heldOut: shared.heldOut && openExamples(shared.heldOut) };
}

function lackOfHeldOut({ patience }: EpochSettings): OptionError {
  return new OptionError((option) => {
    const asked = patience === undefined ? option('keep', 'best') : option('patience', patience);
    return `${asked} goes with ${option('dev')}`;
  });
}

/** Names the training runs with these data and settings, whatever the seed; `judge` chooses the epoch. */
function nameOf(
  treebank: Treebank,
  { examples, settings, learning, numbering }: LinearTrainingData<unknown, unknown>,
  judge?: Treebank,
): string {
  const scheme = numbering.lifting ? [numbering.lifting.scheme] : [];
  const judges = judge ? [judge.digest] : [];
  return fingerprint(treebank, examples.length, settings, learning, ...scheme, ...judges);
}

async function readHeldOut({ numbering }: LinearTrainingData<unknown, unknown>, { dev }: TrainingRun) {
  return dev && encodeHeldOut(dev, numbering);
}

interface SharedNumbering extends Pick<Numbering, 'labels' | 'lifting'> {
  readonly columns: readonly EncodedColumn[];
  readonly learnt: readonly LearntColumn[];
  readonly candidates: Int32Array;
}

function shareNumbering({ encoder, labels, candidates, lifting }: Numbering): SharedNumbering {
  const { names: columns, learnt } = encoder;
  return { columns, learnt, labels, candidates: candidates.toArray(), lifting };
}

function openNumbering(shared: SharedNumbering, settings: NumberingSettings): Numbering {
  const { columns, learnt, labels, lifting } = shared;
  const encoder = new ColumnEncoder(columns, settings, learnt);
  const candidates = LabelCandidates.over(settings.tags[0], encoder, labels.length);
  return { encoder, labels, candidates: candidates.restore(NumberReader.ofOwn(shared.candidates)), lifting };
}

/** One after another: length, size of the columns, columns, heads, labels, every guide's heads and labels. */
type SharedExamples = { readonly count: number; readonly guides: number; readonly numbers: Int32Array };

function shareExamples(examples: readonly Example[]): SharedExamples {
  const size = examples.reduce(
    (sum, example) => sum + 2 + partsOf(example).reduce((all, part) => all + part.length, 0),
    0,
  );
  const numbers = new Int32Array(new SharedArrayBuffer(4 * size));
  let at = 0;
  for (const example of examples) {
    numbers[at++] = example.length;
    numbers[at++] = example.columns.length;
    for (const part of partsOf(example)) {
      numbers.set(part, at);
      at += part.length;
    }
  }
  return { count: examples.length, guides: examples[0]?.guides?.length ?? 0, numbers };
}

function partsOf({ columns, heads, labels, guides = [] }: Example): Int32Array[] {
  return [columns, heads, labels, ...guides.flatMap((guide) => [guide.heads, guide.labels])];
}

function openExamples({ count, guides, numbers }: SharedExamples): Example[] {
  let at = 0;
  const take = (length: number) => {
    at += length;
    return numbers.subarray(at - length, at);
  };
  return Array.from({ length: count }, () => {
    const [length, columns] = take(2);
    const tree = () => ({ heads: take(length + 1), labels: take(length + 1) });
    const example = { length, columns: take(columns), ...tree() };
    return guides === 0 ? example : { ...example, guides: Array.from({ length: guides }, tree) };
  });
}
