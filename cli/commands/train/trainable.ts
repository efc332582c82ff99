import type { Option } from 'commander';
import type { AnnotationTask } from '../../../annotators/annotator.ts';
import { findTask, taskNames } from '../../../annotators/registry.ts';
import { saveAnnotator } from '../../../annotators/saved-annotator.ts';
import { type TrainAnnotatorOptions, trainAnnotator } from '../../../annotators/train-annotator.ts';
import { trainStacked } from '../../../combine/stack/train-stacked.ts';
import type { TrainedParser, TrainParserOptions } from '../../../combine/train-parser.ts';
import type { PartProgress } from '../../../combine/training/part-progress.ts';
import type { Paradigm } from '../../../parsers/parser.ts';
import { findParadigm, paradigmNames } from '../../../parsers/registry.ts';
import { saveParser } from '../../../parsers/saved-parser.ts';
import type { AboutModel } from '../../../src/training/about-model.ts';
import { keptMembers, type LinearOptions } from '../../../src/training/linear/linear-options.ts';
import type { NamedScores } from '../../../src/training/training-run.ts';
import type { Expectation } from '../../../src/treebank/reading/reading-options.ts';
import type { Treebank } from '../../../src/treebank/sentence.ts';
import { optionsOfSchema, readOptions } from '../../options/schema-options.ts';
import { readTemplates } from '../../options/templates.ts';
import { storeFolder } from './kept-parts.ts';
import { type GivenStacking, readStacking, stackingGroup } from './stacking.ts';

/** What has been learnt, and how it is written to a file with what is known of it. */
export interface Trained {
  readonly about: AboutModel<NamedScores>;
  /** The scores on held-out data by what they are of, where they are not those of the last epoch. */
  readonly scores?: Readonly<Record<string, NamedScores | undefined>> | undefined;
  save(path: string, about: AboutModel<NamedScores>): void;
}

export type Run = Omit<TrainParserOptions & TrainAnnotatorOptions, 'onMember' | 'options'> & {
  readonly options: object;
  /** Told of a member of an ensemble that is to be kept, by a short name. */
  readonly onMember: (name: string, member: Trained) => void;
  /** Told how far the parts of a pipeline are. */
  readonly onPart: (progress: PartProgress) => void;
};

/** Options as commander gives them. */
export type GivenOptions = Readonly<Record<string, unknown>> & { readonly templates?: readonly string[] };

/** Options that stand together in the help. */
export interface OptionGroup {
  readonly title: string;
  readonly options: readonly Option[];
}

/** Something that can be trained from a treebank: a parser, what annotates a text before it is parsed, or both. */
export interface Trainable
  extends Pick<Paradigm, 'name' | 'summary' | 'needsPhrases' | 'templates' | 'keepsState'> {
  readonly groups: readonly OptionGroup[];
  /** Lines of the help that tell how it is used. */
  readonly examples?: readonly string[] | undefined;
  /** What the heads of the treebank must be. */
  readonly expect: Expectation;
  /** Whether what is finished of it is kept, so that it can be resumed in any case. */
  keepsParts?(options: object): boolean;
  /** Its options among those given, with the files that they name read; throws `UsageError` for what is refused. */
  read(given: GivenOptions): Promise<object>;
  /** Short names of the members of an ensemble that are to be kept, each in a file of its own. */
  keptMembers(options: object): readonly string[];
  train(treebank: Treebank, run: Run): Promise<Trained>;
}

/** Parsers, then annotators, and what is made of both. */
export function trainableNames(): string[] {
  return [...paradigmNames(), ...taskNames(), 'pipeline'];
}

/**
 * @param words those of the command line, which say of what a pipeline is to be made
 * @throws UsageError for a name that is none
 */
export async function findTrainable(name: string, words: readonly string[]): Promise<Trainable> {
  if (name === 'pipeline') return (await import('./pipeline.ts')).pipelineOf(words);
  return taskNames().includes(name) ? annotatorOf(await findTask(name)) : parserOf(await findParadigm(name));
}

function parserOf(paradigm: Paradigm): Trainable {
  const { groups, read } = learning(paradigm);
  return {
    ...paradigm,
    groups: paradigm.takesGuides ? [...groups, stackingGroup()] : groups,
    examples: paradigm.takesGuides ? examplesWithGuides(paradigm) : undefined,
    expect: 'trees',
    read: async (given) => ({ ...(await read(given)), stacking: await readStacking(given) }),
    keepsParts: (options) => (options as ParserGiven).stacking !== undefined,
    keptMembers: (options) => (paradigm.linear === undefined ? [] : keptMembers(options as LinearOptions)),
    train: async (treebank, { onMember, options, ...run }) => {
      const { stacking: { cache, ...stacking } = {}, ...own } = options as ParserGiven;
      const store = stacking.guides && (await storeFolder(cache, run.onNotice));
      const keep = (name: string, { parser, about }: TrainedParser) =>
        onMember(name, { about, save: (path, told) => saveParser(path, parser, told) });
      const asked = { ...run, options: own, stacking, store, onMember: keep };
      const { parser, about } = await trainStacked(paradigm, treebank, asked);
      return { about, save: (path, told) => saveParser(path, parser, told) };
    },
  };
}

function examplesWithGuides({ name }: Paradigm): string[] {
  const train = `parliament train ${name} --train train.conllu --dev dev.conllu --model english.model`;
  return [train, `${train} --guide 'transition --direction right-to-left' --jobs 2`];
}

/** The options of a parser, and by whom it is guided. */
interface ParserGiven {
  readonly stacking?: GivenStacking | undefined;
}

function annotatorOf(task: AnnotationTask): Trainable {
  return {
    ...task,
    ...learning(task),
    expect: 'tokens',
    keptMembers: () => [],
    train: async (treebank, { onMember: _, onPart: __, ...run }) => {
      const { annotator, about } = await trainAnnotator(task, treebank, run);
      return { about, save: (path, told) => saveAnnotator(path, annotator, told) };
    },
  };
}

/** What has options of its own, those of its schema. */
export type Learnable = Pick<Paradigm, 'options' | 'templates' | 'takesGuides'>;

function learning(learnable: Learnable): Pick<Trainable, 'groups' | 'read'> {
  return {
    groups: [{ title: 'Learning:', options: optionsOfSchema(learnable.options) }],
    read: (given) => readLearning(learnable, given),
  };
}

/** The options of a schema among those given, with the templates of the files that they name. */
export async function readLearning(
  { options, templates }: Learnable,
  given: GivenOptions,
): Promise<Record<string, unknown>> {
  const read = templates && { templates: await readTemplates(templates, given.templates ?? []) };
  return readOptions(options, { ...given, ...read }) as Record<string, unknown>;
}
