import { Option } from 'commander';
import type { AnnotationTask } from '../../../annotators/annotator.ts';
import { Overrides } from '../../../annotators/overrides.ts';
import { fillsColumns, findTask, openAnnotator, taskNames } from '../../../annotators/registry.ts';
import { annotatorWriter } from '../../../annotators/saved-annotator.ts';
import { withEncoding } from '../../../annotators/tokenizer/options.ts';
import { trainAnnotator } from '../../../annotators/train-annotator.ts';
import { trainStacked } from '../../../combine/stack/train-stacked.ts';
import type { TrainedParser } from '../../../combine/train-parser.ts';
import type { Paradigm } from '../../../parsers/parser.ts';
import { findParadigm, paradigmNames } from '../../../parsers/registry.ts';
import { UsageError } from '../../../src/errors.ts';
import { TextFile } from '../../../src/files/text-file.ts';
import { keptMembers, type LinearOptions } from '../../../src/training/options.ts';
import type { Origin, Silver } from '../../../src/training/training-run.ts';
import { optionsOfSchema } from '../../options/schema-options.ts';
import type { GivenOptions, GivenStacking, Learnable, Trainable } from './trainable.ts';
import {
  furtherGroup,
  readLearning,
  readOrigin,
  readSilver,
  readStacking,
  savedParser,
  silverGroup,
  stackingGroup,
  storeFolder,
} from './trainable.ts';

export function trainableNames(): string[] {
  return [...paradigmNames(), ...taskNames(), 'pipeline'];
}

/**
 * Finds what to train by name; throws `UsageError` for an unknown one.
 *
 * @param words the command line, which names a pipeline's parser
 */
export async function findTrainable(name: string, words: readonly string[]): Promise<Trainable> {
  if (name === 'pipeline') return (await import('./pipeline.ts')).pipelineOf(words);
  return taskNames().includes(name) ? annotatorOf(await findTask(name)) : parserOf(await findParadigm(name));
}

function parserOf(paradigm: Paradigm): Trainable {
  const { groups, read } = learning(paradigm);
  return {
    ...paradigm,
    groups: [
      ...groups,
      ...(paradigm.takesSilver === undefined ? [] : [silverGroup()]),
      ...(paradigm.furtherOptions === undefined ? [] : [furtherGroup(paradigm.furtherOptions)]),
      ...(paradigm.takesGuides ? [stackingGroup()] : []),
    ],
    examples: paradigm.takesGuides ? examplesWithGuides(paradigm) : undefined,
    expect: 'trees',
    read: async (given, reading) => ({
      ...(await read(given)),
      silver: await readSilver(given, reading),
      from: await readOrigin(given, reading),
      stacking: await readStacking(given),
      isTyped: reading.isTyped,
    }),
    keepsParts: (options) => (options as ParserGiven).stacking !== undefined,
    keptMembers: (options) => (paradigm.linear === undefined ? [] : keptMembers(options as LinearOptions)),
    train: async (treebank, { onMember, options, ...run }) => {
      const { silver, from, stacking: { cache, ...stacking } = {}, isTyped, ...own } = options as ParserGiven;
      // A model that is trained further keeps its options: defaults are none that were asked for.
      const typed = Object.entries(own).filter(([name]) => from === undefined || isTyped(name));
      const store = stacking.guides && (await storeFolder(cache, run.onNotice));
      const keep = (name: string, member: TrainedParser) => onMember(name, savedParser(member));
      const asked = {
        ...run,
        options: Object.fromEntries(typed),
        silver,
        from,
        stacking,
        store,
        onMember: keep,
      };
      return savedParser(await trainStacked(paradigm, treebank, asked));
    },
  };
}

function examplesWithGuides({ name }: Paradigm): string[] {
  const train = `parliament train ${name} --train train.conllu --dev dev.conllu --model english.model`;
  return [train, `${train} --guide 'transition --direction right-to-left' --jobs 2`];
}

interface ParserGiven {
  readonly silver?: Silver | undefined;
  readonly from?: Origin | undefined;
  readonly stacking?: GivenStacking | undefined;
  isTyped(option: string): boolean;
}

function annotatorOf(task: AnnotationTask): Trainable {
  const { groups, read } = learning(task);
  const lexicon = new Option(
    '--lexicon <file>',
    'file with lines of form, tag, lemma and features, which override predictions (_: any tag, or unset)',
  );
  return {
    ...task,
    groups: task.name === 'tokenizer' ? groups : [...groups, { title: 'Lexicon:', options: [lexicon] }],
    read: async (given) => {
      const { lexicon: path, encoding } = given as { readonly lexicon?: string; readonly encoding?: string };
      return {
        ...withEncoding(await read(given), encoding),
        ...(path !== undefined && {
          lexicon: Overrides.read(await new TextFile(path, encoding).text(), path),
        }),
      };
    },
    expect: 'tokens',
    train: async (treebank, { onMember: _, onPart: __, options, ...run }) => {
      const { lexicon, ...own } = options as { readonly lexicon?: Overrides };
      const { annotator, about } = await trainAnnotator(task, treebank, { ...run, options: own });
      if (lexicon && !(fillsColumns(annotator) && Overrides.canApplyTo(annotator)))
        throw new UsageError('--lexicon overrides lemmas and features, which this treebank has none of');
      const whole = lexicon && fillsColumns(annotator) ? lexicon.appliedTo(annotator) : annotator;
      const scores = lexicon && run.dev && (await task.score(whole, run.dev, run.signal));
      return {
        about: { ...about, ...(scores && { scores }) },
        writer: (header) => annotatorWriter(whole, header),
        scoreSaved: async (model, dev, signal) => ({
          about: { ...about, scores: await task.score(await openAnnotator(model), dev, signal) },
        }),
      };
    },
  };
}

function learning(learnable: Learnable) {
  const groups = [{ title: 'Learning:', options: optionsOfSchema(learnable.options) }];
  return { groups, read: (given: GivenOptions) => readLearning(learnable, given) };
}
