import type { Paradigm } from '../../parsers/parser.ts';
import { findParadigm } from '../../parsers/registry.ts';
import { checkFields } from '../../src/checks.ts';
import { InputError, OptionError } from '../../src/errors.ts';
import { readModelFile } from '../../src/model/model-file.ts';
import { recordOf } from '../../src/training/about-model.ts';
import { checkGoldEpochs } from '../../src/training/epochs.ts';
import { sentences } from '../../src/training/examples.ts';
import { checkedOptions } from '../../src/training/options.ts';
import { runFields, shareDone } from '../../src/training/training-run.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import { checkFolds, type TrainPipelineOptions, VOTE } from '../pipeline/training/options.ts';
import { namedScores, noteLearntWeights, scorePipeline } from '../pipeline/training/score-pipeline.ts';
import { type TrainedPipeline, trainPipeline } from '../pipeline/training/train-pipeline.ts';
import type { TrainedParser, TrainingTreebank } from '../train-parser.ts';
import { openTrainingTreebanks, trainParser } from '../train-parser.ts';
import { TextSelection } from './silver-trees.ts';
import { annotatorsOf, openTeacher, parsedText, type Teacher } from './teacher.ts';
import { checkMembers, retrained, type SilverLearning } from './tri-training.ts';

export interface DistilOptions extends SilverLearning, Pick<TrainPipelineOptions, 'dev' | 'checkpoints'> {
  /** Models of the teacher: a pipeline, or parsers and annotators; several parsers vote. */
  readonly teacher: readonly string[];
  /** `vote` goes with `stages`: the result is the vote of the parsers after tri-training. */
  readonly student: { readonly parser: string; readonly options?: object | undefined };
  /** Number of stages of tri-training of the teacher's parsers, before the student is trained; default: 0. */
  readonly stages?: number | undefined;
}

/**
 * Trains a parser, the student, on a treebank and on the trees that another parser, the teacher, finds in raw text
 * (uptraining: Petrov et al. 2010). If the teacher has annotators, the student is a pipeline with the same ones. The same
 * data, options and seed give the same student, byte for byte, whatever `jobs` and whatever was cached.
 *
 * @throws UsageError for unknown or contradictory options
 * @throws InputError for models, texts and treebanks that cannot be used
 */
export async function distil(
  treebank: TrainingTreebank,
  options: DistilOptions,
): Promise<TrainedPipeline | TrainedParser> {
  const { teacher: files, text: _, words, least, encoding: __, student, stages = 0, ...rest } = options;
  const { tags, folds, vectors, encoder, weight, goldEpochs, dev: heldOut, store, ...run } = rest;
  const ofTrees: readonly string[] = ['dev', 'silver', 'from'];
  checkFields(
    'distil',
    run,
    runFields.filter((field) => !ofTrees.includes(field)),
  );
  const isVote = student.parser === VOTE;
  if (isVote && stages === 0)
    throw new OptionError((option) => `${option('student', VOTE)} goes with ${option('stages')}`);
  if (isVote && least !== undefined && least > 0)
    throw new OptionError(
      (option) => `${option('least', least)} does not go with ${option('student', VOTE)}`,
    );
  const paradigm = isVote ? undefined : await findParadigm(student.parser);
  if (paradigm !== undefined) checkStudent(paradigm, student.options, goldEpochs);
  checkFolds({ tags, folds });
  let teacher = await openTeacher(files.map((path) => readModelFile(path)));
  if (stages > 0) checkMembers(teacher, options);
  const annotators = annotatorsOf(teacher.model);
  // Without annotators, these files are options of the student; only retrained parsers need them here.
  const inputs = stages === 0 ? { vectors, encoder } : {};
  const given = ([, value]: [string, unknown]) => value !== undefined;
  const stray = Object.entries({ tags, folds, ...inputs }).find(given);
  if (annotators.length === 0 && stray !== undefined)
    throw new OptionError((option) => `${option(...stray)}: the teacher has no annotators`);
  const unread = paradigm?.takesVectors ? undefined : Object.entries(inputs).find(given);
  if (unread !== undefined)
    throw new OptionError((option) => `${option(...unread)}: the student does not read it`);
  const { train, dev } = await openTrainingTreebanks(paradigm ?? {}, treebank, heldOut, undefined);
  const selection = new TextSelection(words);
  for (const known of [train, ...(dev === undefined ? [] : [dev])]) await selection.exclude(known);
  for (let stage = 1; stage <= stages; stage++)
    teacher = await retrained(teacher, stage, { ...options, train, dev, selection });
  if (paradigm === undefined) return votingPipeline(teacher, train, dev, options);
  const silver = { treebank: await silverTrees(teacher, selection, options), weight, goldEpochs };
  const learning = { ...run, dev, silver };
  if (annotators.length > 0) {
    const read = paradigm.takesVectors ? { vectors, encoder } : {};
    const planned = { parser: student.parser, parserOptions: student.options, tags, folds, ...read };
    return trainPipeline(train, { ...learning, store, options: planned, annotators });
  }
  return trainParser(paradigm, train, {
    ...learning,
    seed: run.seed ?? 1,
    jobs: run.jobs ?? 1,
    options: student.options ?? {},
    onProgress: (training) => run.onProgress?.({ part: 'parser', share: shareDone(training), training }),
  });
}

/** Refuses a student that cannot learn from the teacher's trees, before the text is parsed, which takes long. */
function checkStudent(paradigm: Paradigm, given: object = {}, goldEpochs = 0): void {
  const refuse = (problem: OptionError['say']) => {
    throw new OptionError((option) => `${option('student', paradigm.name)}: ${problem(option)}`);
  };
  const options = checkedOptions(paradigm, given);
  if (paradigm.needsPhrases)
    refuse((option) => `it learns from phrases, which it takes as ${option('silver')} in training`);
  if (!paradigm.takesSilver?.(options)) refuse(() => 'it does not weigh trees with these options');
  try {
    checkGoldEpochs(goldEpochs, options as Parameters<typeof checkGoldEpochs>[1]);
    paradigm.checkOptions?.(options);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    refuse(error.say);
  }
}

/** The trees of the teacher that the student learns from. */
async function silverTrees(teacher: Teacher, selection: TextSelection, options: DistilOptions) {
  const { least = 0, onNotice } = options;
  const trees = await parsedText(teacher, selection, options);
  const { sentences: parsed, words, heldOut } = selection;
  const chosen = least > 0 ? trees.choose(least) : parsed;
  if (parsed === 0 && heldOut > 0)
    throw new InputError(
      'nothing to learn from: all of its sentences are in the treebank or the held-out data',
      {
        file: options.text[0],
      },
    );
  if (parsed > 0 && chosen === 0)
    throw new OptionError((option) => `${option('least', least)} leaves none of ${sentences(parsed)}`);
  onNotice?.(`parsed ${sentences(parsed)} (${words} words), ${chosen} of them to learn from`);
  const why = 'they are also in the treebank or the held-out data';
  if (heldOut > 0) onNotice?.(`${sentences(heldOut)} left out of the text: ${why}`);
  return trees;
}

async function votingPipeline(
  { pipeline }: Teacher,
  train: Treebank,
  dev: Treebank | undefined,
  { seed = 1, stages, signal, onNotice }: DistilOptions,
): Promise<TrainedPipeline> {
  const members = pipeline!.parsers.map(({ model }) => ({ parser: model.paradigm }));
  const about = { options: { parser: VOTE, members, stages }, seed, train: await recordOf(train) };
  if (dev === undefined) return { pipeline: pipeline!, about };
  noteLearntWeights(pipeline!, onNotice);
  const scores = await scorePipeline(pipeline!, dev, signal);
  const scored = { ...about, dev: await recordOf(dev), scores: namedScores(scores) };
  return { pipeline: pipeline!, about: scored, scores };
}
