import { isAnnotator } from '../../annotators/registry.ts';
import { findParadigm } from '../../parsers/registry.ts';
import { digestOf } from '../../src/digest.ts';
import { OptionError } from '../../src/errors.ts';
import { withFilesOf } from '../../src/files/given-file.ts';
import { Store } from '../../src/files/store.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import { ModelWriter, modelBytes } from '../../src/model/model-writer.ts';
import { checkedOptions } from '../../src/training/options.ts';
import type { NamedScores, Silver, TrainingProgress } from '../../src/training/training-run.ts';
import { shareDone } from '../../src/training/training-run.ts';
import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';
import { cachedModel } from '../model-cache.ts';
import { bytesOf, type PartProgress } from '../parser-part.ts';
import type { PipelinePart } from '../pipeline/pipeline-part.ts';
import type { TagSource, TrainPipelineOptions } from '../pipeline/training/options.ts';
import { trainPipeline } from '../pipeline/training/train-pipeline.ts';
import { trainParser } from '../train-parser.ts';
import { hasTree, type SilverTrees, type TextSelection } from './silver-trees.ts';
import type { Teacher, TextOptions } from './teacher.ts';
import { annotatorsOf, openTeacher, parsedText, programOf } from './teacher.ts';

/** Options for training parsers on a treebank and on silver trees of a text. */
export interface SilverLearning
  extends TextOptions,
    Pick<Silver, 'weight' | 'goldEpochs'>,
    Pick<TrainPipelineOptions, 'seed' | 'onNotice'> {
  /** Tags and lemmas that parsers are trained on, and number of folds for predicted ones: see `pipelineOptions`. */
  readonly tags?: TagSource | undefined;
  readonly folds?: number | undefined;
  /** Files of word vectors and of a language model for networks that learn. */
  readonly vectors?: string | undefined;
  readonly encoder?: string | undefined;
}

/** Options of a stage of tri-training. */
interface StageOptions extends SilverLearning {
  readonly train: Treebank;
  readonly dev: Treebank | undefined;
  readonly selection: TextSelection;
}

/**
 * The sentences of a text for which several parsers found the same tree, labels included. In tri-training (Zhou & Li 2005;
 * for parsers Søgaard & Rishøj 2010, C10-1120) a parser learns from those on which the others agree.
 */
export class AgreedTrees implements Treebank {
  readonly name: string;

  /** @param found the trees of each parser, of the same sentences */
  constructor(private readonly found: readonly SilverTrees[]) {
    [{ name: this.name }] = found;
  }

  get digest(): string {
    return digestOf(this.found.map(({ digest }) => digest));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Sentence> {
    const [first, ...others] = this.found.map((trees) => trees.all());
    for (const sentence of first) {
      const rivals = others.map((sentences) => sentences.next().value as Sentence);
      if (hasTree(sentence) && rivals.every((rival) => isSameTree(sentence, rival))) yield sentence;
    }
  }

  async count(): Promise<number> {
    let count = 0;
    for await (const _ of this) count++;
    return count;
  }
}

function isSameTree(a: Sentence, b: Sentence): boolean {
  for (let d = 1; d <= a.length; d++)
    if (a.heads[d] !== b.heads[d] || a.labels[d] !== b.labels[d]) return false;
  return true;
}

const LEAST_MEMBERS = 3;

/**
 * Throws an `OptionError` unless the teacher is a vote of at least three parsers (of two, each would learn from the other
 * alone), and the files of vectors and encoders that they were trained with are given: models do not store their paths.
 */
export function checkMembers({ model, pipeline }: Teacher, given: SilverLearning): void {
  const count = pipeline?.parsers.length ?? 1;
  if (count < LEAST_MEMBERS) {
    throw new OptionError(
      (option) =>
        `${option('stages')}: tri-training needs at least ${LEAST_MEMBERS} parsers, the teacher has ${count}`,
    );
  }
  const parts = model.partNames.map((name) => model.part(name)).filter((part) => !isAnnotator(part));
  for (const name of inputFiles) {
    const read = parts.map((part) => inputsOf(part)[name]?.file).find((file) => file !== undefined);
    if (read !== undefined && given[name] === undefined)
      throw new OptionError(
        (option) =>
          `${option('stages')}: a parser was trained with ${read}: give this file with ${option(name)}`,
      );
  }
}

const inputFiles = ['vectors', 'encoder'] as const;
type InputFiles = { readonly [name in (typeof inputFiles)[number]]?: { readonly file: string } };
const inputsOf = ({ header }: ModelReader) => (header.options ?? {}) as InputFiles;

/**
 * Runs one stage of tri-training: retrains every parser of the teacher, with the options in its model, on the treebank and on
 * the sentences for which all other parsers agree. Returns the vote of the new parsers. A parser that cannot learn from silver
 * trees, or for which there are none, stays unchanged.
 */
export async function retrained(teacher: Teacher, stage: number, options: StageOptions): Promise<Teacher> {
  const annotators = annotatorsOf(teacher.model);
  const members = teacher.pipeline!.parsers.map(standalone);
  const { dev, onWarning } = options;
  let selection = options.selection;
  const found: SilverTrees[] = [];
  for (const [i, member] of members.entries()) {
    const alone = await openTeacher([...annotators, member]);
    selection = selection.restarted();
    found.push(await parsedText(alone, selection, { ...options, least: 0 }, `stage ${stage}, text ${i + 1}`));
  }
  const successors: ModelReader[] = [];
  for (const [i, member] of members.entries()) {
    const agreed = new AgreedTrees(found.filter((_, other) => other !== i));
    const part = `stage ${stage}, parser ${i + 1}`;
    successors.push(await retrainedMember(member, agreed, part, { ...options, selection, annotators }));
  }
  const { method, singleRoot } = teacher.pipeline!.vote!;
  return openTeacher([...annotators, ...successors], { dev, method, singleRoot, onWarning });
}

/** The model of a part, as in a file of its own. */
function standalone(part: PipelinePart): ModelReader {
  const writer = new ModelWriter();
  part.write(writer);
  return ModelReader.fromBuffer(modelBytes(writer), part.name);
}

/** @param part name in notices and progress */
async function retrainedMember(
  member: ModelReader,
  agreed: AgreedTrees,
  part: string,
  { annotators, train, dev, selection, ...options }: StageOptions & { readonly annotators: ModelReader[] },
): Promise<ModelReader> {
  const { tags, folds, weight, goldEpochs, seed, jobs, store, signal, onWarning } = options;
  const paradigm = await findParadigm(member.fields().text('paradigm'));
  const own = ownOptions(member, options);
  const isAble = member.header.guides === undefined && paradigm.takesSilver?.(checkedOptions(paradigm, own));
  const count = isAble ? await agreed.count() : 0;
  const outcome = isAble
    ? `learns from the ${count} of ${selection.sentences} sentences for which the others agree`
    : 'cannot learn from silver trees: it stays unchanged';
  options.onNotice?.(`${part}: ${paradigm.name} ${outcome}`);
  if (count === 0) return member;
  const silver = { treebank: agreed, weight, goldEpochs };
  const run = { seed: seed ?? 1, jobs: jobs ?? 1, signal, dev, silver, ...(onWarning && { onWarning }) };
  const tell = (progress: Omit<PartProgress, 'part'>) =>
    options.onProgress?.({ ...progress, part, training: undefined });
  if (annotators.length === 0) {
    const onProgress = (training: TrainingProgress<NamedScores>) => tell({ share: shareDone(training) });
    const digests = [train, ...(dev ? [dev] : []), agreed].map(({ digest }) => digest);
    const cache = await Store.open(digests.includes(undefined) ? undefined : store);
    const asked = checkedOptions(paradigm, own);
    const origin = [programOf(member), paradigm.name, asked, run.seed, digests, weight, goldEpochs];
    const { model, isKept } = await cachedModel(cache, part, origin, async () => {
      const trained = await trainParser(paradigm, train, { ...run, onProgress, options: own });
      return bytesOf(trained, trained.about);
    });
    tell({ share: 1, isOver: true, isKept });
    return model;
  }
  const { pipeline } = await trainPipeline(train, {
    ...run,
    store,
    annotators,
    options: { parser: paradigm.name, parserOptions: own, tags, folds },
    onProgress: (progress) => (progress.part === 'parser' ? tell(progress) : options.onProgress?.(progress)),
  });
  return standalone(pipeline.parsers[0]);
}

/** The training options in a model, with the given files in place of those that it was trained with. */
function ownOptions(member: ModelReader, given: SilverLearning): Record<string, unknown> {
  const read = inputsOf(member);
  const files = inputFiles.filter((name) => read[name] !== undefined).map((name) => [name, given[name]]);
  return { ...withFilesOf(read, () => undefined), ...Object.fromEntries(files) };
}
