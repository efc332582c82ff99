import type { AnnotationTask } from '../../annotators/annotator.ts';
import { findTask, taskNames } from '../../annotators/registry.ts';
import { saveAnnotator } from '../../annotators/saved-annotator.ts';
import { type TrainAnnotatorOptions, trainAnnotator } from '../../annotators/train-annotator.ts';
import { type TrainParserOptions, trainParser } from '../../combine/train-parser.ts';
import type { Paradigm } from '../../parsers/parser.ts';
import { findParadigm, paradigmNames } from '../../parsers/registry.ts';
import { saveParser } from '../../parsers/saved-parser.ts';
import type { AboutModel } from '../../src/training/about-model.ts';
import { keptMembers, type LinearOptions } from '../../src/training/linear/linear-options.ts';
import type { NamedScores } from '../../src/training/training-run.ts';
import type { Expectation } from '../../src/treebank/reading/reading-options.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';

/** What has been learnt, and how it is written to a file with what is known of it. */
export interface Trained {
  readonly about: AboutModel<NamedScores>;
  save(path: string, about: AboutModel<NamedScores>): void;
}

type Run = Omit<TrainParserOptions & TrainAnnotatorOptions, 'onMember'> & {
  /** Told of a member of an ensemble that is to be kept, by a short name. */
  readonly onMember: (name: string, member: Trained) => void;
};

/** Something that can be trained from a treebank: a parser, or what annotates a text before it is parsed. */
export interface Trainable
  extends Pick<Paradigm, 'name' | 'summary' | 'needsPhrases' | 'options' | 'templates' | 'keepsState'> {
  /** What the heads of the treebank must be. */
  readonly expect: Expectation;
  /** Short names of the members of an ensemble that are to be kept, each in a file of its own. */
  keptMembers(options: object): readonly string[];
  train(treebank: Treebank, run: Run): Promise<Trained>;
}

/** Parsers, then annotators. */
export function trainableNames(): string[] {
  return [...paradigmNames(), ...taskNames()];
}

/** Throws `UsageError` for a name that is none. */
export async function findTrainable(name: string): Promise<Trainable> {
  return taskNames().includes(name) ? annotatorOf(await findTask(name)) : parserOf(await findParadigm(name));
}

function parserOf(paradigm: Paradigm): Trainable {
  return {
    ...paradigm,
    expect: 'trees',
    keptMembers: (options) => (paradigm.linear === undefined ? [] : keptMembers(options as LinearOptions)),
    train: async (treebank, { onMember, ...run }) => {
      const keep = (name: string, { parser, about }: Awaited<ReturnType<typeof trainParser>>) =>
        onMember(name, { about, save: (path, told) => saveParser(path, parser, told) });
      const { parser, about } = await trainParser(paradigm, treebank, { ...run, onMember: keep });
      return { about, save: (path, told) => saveParser(path, parser, told) };
    },
  };
}

function annotatorOf(task: AnnotationTask): Trainable {
  return {
    ...task,
    expect: 'tokens',
    keptMembers: () => [],
    train: async (treebank, { onMember: _, ...run }) => {
      const { annotator, about } = await trainAnnotator(task, treebank, run);
      return { about, save: (path, told) => saveAnnotator(path, annotator, told) };
    },
  };
}
