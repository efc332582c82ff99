import { annotated, type PlannedAnnotator } from '../../../annotators/jackknife/fold.ts';
import { jackknifedBy } from '../../../annotators/jackknife/jackknife.ts';
import { fillsColumns, openAnnotator } from '../../../annotators/registry.ts';
import { annotatorRegistry, taskModule } from '../../../annotators/train-annotator.ts';
import { findParadigm, paradigmFile, registeredModules } from '../../../parsers/registry.ts';
import { jsonDigest } from '../../../src/digest.ts';
import { Store } from '../../../src/files/store.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import { moduleFile, programFrom } from '../../../src/program-digest.ts';
import { TaskPool } from '../../../src/threads/worker-pool.ts';
import { recordOf, type TreebankRecord } from '../../../src/training/about-model.ts';
import { type NamedScores, shareDone, type TrainingProgress } from '../../../src/training/training-run.ts';
import type { AnnotatedColumn } from '../../../src/treebank/columns/names.ts';
import {
  countOf,
  joinPacked,
  type PackedSentences,
  packedDigest,
  packedTreebank,
  packSentences,
  unpack,
} from '../../../src/treebank/packed-sentences.ts';
import type { Sentence, Treebank } from '../../../src/treebank/sentence.ts';
import { eachChanged } from '../../../src/treebank/treebanks.ts';
import { cachedModel } from '../../model-cache.ts';
import { bytesOf, type ParserTask, parserKind } from '../../parser-part.ts';
import type { StackingOptions } from '../../stack/options.ts';
import { trainStacked } from '../../stack/train-stacked.ts';
import { annotatorKind } from './annotator-part.ts';
import type { PlannedParser, TagSource, TrainPipelineOptions } from './options.ts';

/** Modules that load others by name (see `programFrom`). */
const choosers: ReadonlySet<string> = new Set([annotatorRegistry, moduleFile('parsers/registry')]);

/** Trains the parts of a pipeline on one treebank, or takes them from the cache. */
export class PartTrainer {
  private readonly digest: string;

  private constructor(
    readonly sentences: PackedSentences,
    readonly record: TreebankRecord | TreebankRecord[],
    private readonly store: Store | undefined,
    private readonly run: TrainPipelineOptions,
  ) {
    this.digest = packedDigest(sentences);
  }

  static async open(treebank: Treebank, run: TrainPipelineOptions): Promise<PartTrainer> {
    const sentences = await packSentences(treebank, run.signal);
    const store = await Store.open(run.store);
    return new PartTrainer(sentences, await recordOf(treebank), store, run);
  }

  get seed(): number {
    return this.run.seed ?? 1;
  }

  annotator({ task, options }: PlannedAnnotator, pool: TaskPool): Promise<ModelReader> {
    const { seed, sentences } = this;
    const about = { options, seed, train: this.record };
    const modules = [moduleFile('combine/pipeline/training/annotator-part'), taskModule(task)];
    const origin = [programFrom(modules, choosers), task, this.digest, about];
    const asked = { task, options, seed, sentences, about };
    return this.cachedOrTrained(task, origin, async () => {
      const trained = await pool.run(annotatorKind, asked, (share) => this.tell(task, share));
      const { model, notices, warnings } = trained;
      for (const notice of notices) this.run.onNotice?.(`${task}: ${notice}`);
      for (const warning of warnings) this.run.onWarning?.(`${task}: ${warning}`);
      return model;
    });
  }

  async jackknifed(tasks: readonly PlannedAnnotator[], folds: number, pool: TaskPool) {
    const { store, signal } = this.run;
    const part = 'folds';
    let learning = false;
    const onProgress = ({ epoch, done, total, isOver }: TrainingProgress<NamedScores>) => {
      learning ||= !isOver;
      if (!isOver || epoch < folds) this.tell(part, (epoch - 1 + done / total) / folds);
    };
    const options = { tasks, folds, seed: this.seed, store, signal, onProgress };
    const treebank = await jackknifedBy(pool, packedTreebank(this.sentences), this.sentences, options);
    this.run.onProgress?.({ part, share: 1, isOver: true, isKept: !learning });
    return packSentences(treebank, signal);
  }

  /** Trains the parsers on gold or jackknifed columns, as planned; all on gold ones if `jackknifed` is absent. */
  async parsers(
    planned: readonly PlannedParser[],
    folds: number,
    jackknifed: PackedSentences | undefined,
    heldOut: Treebank | undefined,
    fillers: readonly ModelReader[],
  ): Promise<ModelReader[]> {
    const dev = heldOut && (await this.annotated(heldOut, fillers));
    const about = { train: this.record, dev: heldOut && (await recordOf(heldOut)) };
    const columns = this.columns(jackknifed);
    const common = { seed: this.seed, dev, about, modules: registeredModules() };
    const asTask = async ({ paradigm, options, tags }: PlannedParser): Promise<ParserTask> => {
      const found = paradigm.writes?.(options) ?? [];
      const own =
        jackknifed && found.length > 0 ? this.columns(await this.withGold(jackknifed, found)) : columns;
      return { ...common, paradigm: paradigm.name, options, sentences: own[tags] };
    };
    const tasks = withOwnSeeds(await Promise.all(planned.map(asTask)));
    const [first, ...others] = tasks;
    if (others.length === 0) {
      this.tell('parser', 0);
      const stacking = stackingOf(planned[0], folds);
      const copies = countOf(first.sentences) / countOf(this.sentences);
      const learn = () => this.learnHere(first, stacking, copies);
      return [await this.parser('parser', first, learn, stacking)];
    }
    const pool = new TaskPool(Math.min(this.run.jobs ?? 1, tasks.length), this.run.signal);
    try {
      const names = tasks.map((_, i) => `parser-${i + 1}`);
      for (const part of names) this.tell(part, 0);
      const learnt = tasks.map((task, i) => {
        const tell = (share: number) => this.tell(names[i], share);
        return this.parser(names[i], task, () => pool.run(parserKind, task, tell));
      });
      return await Promise.all(learnt);
    } finally {
      await pool.end();
    }
  }

  private columns(jackknifed = this.sentences): Readonly<Record<TagSource, PackedSentences>> {
    const gold = this.sentences;
    const both = jackknifed === gold ? gold : joinPacked(gold, jackknifed);
    return { gold, predicted: jackknifed, both };
  }

  /** Jackknifed sentences with some gold columns: those that the parser learns to predict. */
  private withGold(
    sentences: PackedSentences,
    columns: readonly AnnotatedColumn[],
  ): Promise<PackedSentences> {
    const gold = unpack(this.sentences);
    const restored = eachChanged(packedTreebank(sentences), (sentence) => {
      const right = gold.next().value as Sentence;
      return { ...sentence, ...Object.fromEntries(columns.map((column) => [column, right[column]])) };
    });
    return packSentences(restored, this.run.signal);
  }

  private parser(
    part: string,
    { paradigm, options, seed, sentences, dev, about }: ParserTask,
    learn: () => Promise<SharedArrayBuffer>,
    stacking?: StackingOptions,
  ): Promise<ModelReader> {
    const names = [paradigm, ...(stacking?.guides ?? []).map((guide) => guide.parser)];
    const own = names.map(paradigmFile);
    const module = stacking === undefined ? 'parser-part' : 'stack/train-stacked';
    const program = programFrom([moduleFile(`combine/${module}`), ...own], choosers);
    const { silver } = this.run;
    const others = [stacking, silver && { ...silver, treebank: silver.treebank.digest }].filter(Boolean);
    const data = [packedDigest(sentences), dev && packedDigest(dev), about, ...others];
    return this.cachedOrTrained(part, [program, paradigm, options, seed, ...data], learn);
  }

  /** Trains a single parser in this thread: with checkpoints, notices and detailed progress. */
  private async learnHere(
    { paradigm, options, seed, sentences, dev, about }: ParserTask,
    stacking: StackingOptions | undefined,
    copies: number,
  ): Promise<SharedArrayBuffer> {
    const { jobs = 1, signal, checkpoints, silver, store, onProgress } = this.run;
    const run = { options, seed, stacking, copies, jobs, signal, checkpoints, silver, store };
    const trained = await trainStacked(await findParadigm(paradigm), packedTreebank(sentences), {
      ...run,
      dev: dev && packedTreebank(dev),
      onNotice: (notice) => this.run.onNotice?.(notice),
      onProgress: (training) => onProgress?.({ part: 'parser', share: shareDone(training), training }),
      onPart: (progress) => onProgress?.(progress),
    });
    return bytesOf(trained, about);
  }

  private async annotated(heldOut: Treebank, fillers: readonly ModelReader[]): Promise<PackedSentences> {
    const annotators = await Promise.all(fillers.map(openAnnotator));
    return packSentences(annotated(heldOut, annotators.filter(fillsColumns)), this.run.signal);
  }

  private async cachedOrTrained(
    part: string,
    origin: readonly unknown[],
    learn: () => Promise<SharedArrayBuffer>,
  ): Promise<ModelReader> {
    const { model, isKept } = await cachedModel(this.store, part, origin, learn);
    this.run.onProgress?.({ part, share: 1, isOver: true, isKept });
    return model;
  }

  private tell(part: string, share: number): void {
    this.run.onProgress?.({ part, share });
  }
}

/** Gives a parser that is named again the next seed, so that the two differ. */
function withOwnSeeds(tasks: readonly ParserTask[]): ParserTask[] {
  const seen = new Map<string, number>();
  return tasks.map((task) => {
    const named = jsonDigest([task.paradigm, task.options]);
    const before = seen.get(named) ?? 0;
    seen.set(named, before + 1);
    return { ...task, seed: (task.seed + before) >>> 0 };
  });
}

function stackingOf({ guides }: PlannedParser, folds: number): StackingOptions | undefined {
  const asked = guides.map((guide) => ({ parser: guide.paradigm.name, options: { ...guide.options } }));
  return asked.length === 0 ? undefined : { guides: asked, folds };
}
