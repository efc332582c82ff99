import { Option } from 'commander';
import { type DistilOptions, distil } from '../../../combine/distil/distil.ts';
import { pipelineOptions, VOTE } from '../../../combine/pipeline/training/options.ts';
import { findParadigm } from '../../../parsers/registry.ts';
import { checkedOptions } from '../../../src/training/options.ts';
import type { Command } from '../../options/command.ts';
import { decimal, integerOption } from '../../options/common.ts';
import { optionsOfSchema, readOptions } from '../../options/schema-options.ts';
import { trainableCommand } from './command.ts';
import { progressOf, savedPipeline } from './pipeline.ts';
import type { GivenOptions, Trainable } from './trainable.ts';
import { cacheOption, readParserInText, savedParser, storeFolder, weighingOptions } from './trainable.ts';

const tagOptions = pipelineOptions.pick({ tags: true, folds: true, vectors: true, encoder: true });

/** `parliament distil`: shares files, progress and checkpoints with `parliament train`. */
export async function distilCommand(command: Command): Promise<void> {
  trainableCommand(command, distilling, true);
}

/** The options that are given; those of the run are added. */
interface Distilling extends DistilOptions {
  readonly keepsState: boolean;
  readonly silverWeight?: number | undefined;
  readonly cache?: string | undefined;
}

const distilling: Trainable = {
  name: 'distil',
  summary:
    'Trains a parser, the student, on a treebank and on raw text parsed by the teacher: slower and more accurate parsers.',
  groups: [
    {
      title: 'Teacher:',
      options: [
        new Option(
          '--teacher <models...>',
          'a pipeline, or parsers with their annotators; several parsers vote',
        ).makeOptionMandatory(),
        new Option(
          '--text <files...>',
          'raw text, optionally gzipped; for a teacher without a tokenizer: sentences with the columns that it reads',
        ).makeOptionMandatory(),
        integerOption('--words <n>', 'use only the first n words of the text, to the end of a sentence'),
        new Option(
          '--least <share>',
          'minimum mean arc confidence, from 0 to 1: sets how many sentences are used; they are the most confident ones of each length, so that the distribution of lengths stays the same',
        )
          .argParser(decimal({ min: 0, max: 1 }))
          .default(undefined, '0'),
        integerOption(
          '--stages <n>',
          'rounds of tri-training before the student: each parser of the teacher (three or more) is retrained on the treebank and on the sentences for which all the others find the same tree',
          { min: 0 },
          undefined,
          '0',
        ),
        cacheOption(),
      ],
    },
    {
      title: 'Student:',
      options: [
        new Option(
          '--student <parser>',
          `paradigm, with its options in quotation marks; or, with --stages, ${VOTE}: the vote of the retrained parsers`,
        ).default('transition --beam 1'),
        ...weighingOptions('the text'),
        ...optionsOfSchema(tagOptions),
      ],
    },
  ],
  examples: [
    "parliament distil --teacher vote.model --text news.txt --train train.conllu --dev dev.conllu --student 'transition --beam 1' --model fast.model",
  ],
  expect: 'trees',
  keepsParts: () => true,
  keepsState: (options) => (options as Distilling).keepsState,
  read: async (given) => {
    const { teacher, text, encoding, words, stages, least, silverWeight, goldEpochs, cache } =
      given as GivenOptions & Distilling;
    const { student, keepsState } = await readStudent(String(given.student));
    const options = { teacher, text, encoding, words, stages, least, silverWeight, goldEpochs, cache };
    return { ...options, ...readOptions(tagOptions, given), student, keepsState };
  },
  train: async (treebank, { options, onMember: _, onPart, onProgress, ...run }) => {
    const { cache, keepsState: __, silverWeight: weight, ...asked } = options as Distilling;
    const store = await storeFolder(cache, run.onNotice);
    const trained = await distil(treebank, {
      ...run,
      ...asked,
      weight,
      store,
      onProgress: progressOf(onPart, onProgress),
    });
    return 'pipeline' in trained ? savedPipeline(trained) : savedParser(trained);
  },
};

async function readStudent(text: string): Promise<Pick<Distilling, 'student' | 'keepsState'>> {
  if (text === VOTE) return { student: { parser: VOTE }, keepsState: false };
  const student = await readParserInText('--student', text);
  const paradigm = await findParadigm(student.parser);
  const keepsState = paradigm.keepsState?.(checkedOptions(paradigm, student.options)) ?? false;
  return { student, keepsState };
}
