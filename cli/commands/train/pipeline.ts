import { InvalidArgumentError, Option } from 'commander';
import { findTask } from '../../../annotators/registry.ts';
import { withEncoding } from '../../../annotators/tokenizer/options.ts';
import type { PartProgress } from '../../../combine/parser-part.ts';
import { openPipeline, pipelineWriter } from '../../../combine/pipeline/saved-pipeline.ts';
import {
  annotatorNames,
  DEFAULT_MEMBERS,
  ofPhrases,
  pipelineOptions,
  UNNAMED_PARSER,
  VOTE,
} from '../../../combine/pipeline/training/options.ts';
import { namedScores, scorePipeline } from '../../../combine/pipeline/training/score-pipeline.ts';
import { type TrainedPipeline, trainPipeline } from '../../../combine/pipeline/training/train-pipeline.ts';
import { findParadigm, paradigmNames } from '../../../parsers/registry.ts';
import { inputOptions } from '../../../src/training/network/inputs.ts';
import type { TrainingProgress } from '../../../src/training/training-run.ts';
import { flag } from '../../options/common.ts';
import { optionsOfSchema, readOptions } from '../../options/schema-options.ts';
import type { GivenOptions, Learnable, Trainable, Trained } from './trainable.ts';
import {
  cacheOption,
  guideOption,
  readGuides,
  readInText,
  readLearning,
  readParserInText,
  storeFolder,
} from './trainable.ts';

const ownOptions = pipelineOptions.pick({ tags: true, folds: true }).extend(inputOptions);
/** Options that belong to the whole pipeline even if the parser has them, too. */
const sharedOptions: readonly string[] = Object.keys(inputOptions);
const voteOptions = pipelineOptions.pick({ weighting: true, method: true });

/** A trainable pipeline; the command line names its parser, whose options are added to the pipeline's. */
export async function pipelineOf(words: readonly string[]): Promise<Trainable> {
  const named = parserNamed(words);
  const name = named ?? UNNAMED_PARSER;
  const parser = name === VOTE ? undefined : await findParadigm(name);
  if (parser?.needsPhrases) throw ofPhrases(name);
  const own = parser === undefined ? [] : [...parserOptions(parser), guideOption()];
  const isAsked =
    named !== undefined || own.some(({ long }) => words.some((word) => word.split('=')[0] === long));
  return {
    name: 'pipeline',
    summary:
      'Trains a pipeline from raw text to trees: tokenizer, tagger, lemmatizer and parser, as far as the treebank allows.',
    groups: [
      { title: 'Pipeline:', options: partOptions() },
      parser === undefined
        ? { title: 'Vote:', options: votingOptions() }
        : {
            title: `Parser (${name}${named === undefined ? ', if any of these is given' : ''}; see ${flag('parser', 'NAME')} ${flag('help')} for others):`,
            options: [...parserOptions(parser), ...(parser.takesGuides ? [guideOption()] : [])],
          },
    ],
    examples: [
      'parliament train pipeline --train train.conllu --dev dev.conllu --model english.model',
      'parliament train pipeline --train train.conllu --model english.model --parser graph --decoder eisner',
      'parliament train pipeline --train train.conllu --model english.model --text news.txt.gz',
      `parliament train pipeline --train train.conllu --dev dev.conllu --model english.model --parser ${VOTE} --members 'graph --decoder eisner' 'transition --beam 4' bigram`,
    ],
    expect: 'trees',
    templates: parser?.templates && {
      ...parser.templates,
      choose: (options) => parser.templates!.choose((options as PipelineGiven).parserOptions),
    },
    keepsParts: () => true,
    keepsState: (options) => parser?.keepsState?.((options as PipelineGiven).parserOptions) ?? false,
    read: (given) => readPipeline({ ...given, parser: isAsked ? name : undefined }, parser),
    train,
  };
}

interface PipelineGiven {
  readonly parserOptions: object;
  readonly cache?: string | undefined;
  readonly text?: readonly string[];
  readonly encoding?: string;
}

/** The value of `--parser`, if it is known; commander will refuse an unknown one. */
function parserNamed(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => /^--parser(=|$)/.test(word));
  const name = words[at]?.split('=', 2)[1] ?? words[at + 1];
  const isKnown = at >= 0 && [...paradigmNames(), VOTE].includes(name);
  return isKnown ? name : undefined;
}

function partOptions(): Option[] {
  const [parser] = optionsOfSchema(pipelineOptions.pick({ parser: true }));
  const ofTasks = annotatorNames.map(
    (name) => new Option(`--${name} <options>`, `options of train ${name}, in quotation marks`),
  );
  const names = [...paradigmNames(), VOTE];
  parser.choices(names);
  const check = parser.parseArg!;
  parser.argParser((value, previous) => {
    if (value.includes(' ') && names.includes(value.split(' ', 1)[0]))
      throw new InvalidArgumentError(`Its options stand outside the quotation marks: --parser ${value}`);
    return check(value, previous);
  });
  const text = new Option(
    '--text <files...>',
    'raw text, optionally gzipped: word vectors (unless --vectors is given) and a language model are trained on it first and used as --vectors and --encoder; for languages without spaces between words, the tokenizer also learns from the first file',
  );
  return [parser, ...optionsOfSchema(ownOptions), text, ...ofTasks, cacheOption()];
}

/** The parser's options but for shared ones, and `keepMembers`: a pipeline is one file. */
function parserOptions({ options }: Learnable): Option[] {
  const others = [...sharedOptions, 'keepMembers'];
  return optionsOfSchema(options).filter((option) => !others.includes(option.attributeName()));
}

function votingOptions(): Option[] {
  const standard = DEFAULT_MEMBERS.map(({ parser, options }) => inWords(parser, options)).join(', ');
  const members = new Option(
    '--members <parsers...>',
    'parsers that vote, each with its options in quotation marks; one that is named again has the next seed',
  );
  return [members.default(undefined, standard), ...optionsOfSchema(voteOptions)];
}

function inWords(name: string, options: object = {}): string {
  const words = [name, ...Object.entries(options).map(([option, value]) => flag(option, value))];
  return words.length === 1 ? name : `'${words.join(' ')}'`;
}

async function readPipeline(given: GivenOptions, parser: Learnable | undefined): Promise<object> {
  const { text: texts, encoding, cache } = given as Partial<PipelineGiven>;
  const members = given.members as readonly string[] | undefined;
  const ofTasks = annotatorNames.map(async (name) => {
    const { options } = await findTask(name);
    const text = given[name] as string | undefined;
    if (text === undefined) return [name, {}];
    const own = await readInText({ options }, text, `option '${flag(name)}'`);
    return [name, withEncoding(own, encoding)];
  });
  return {
    parser: given.parser,
    ...readOptions(ownOptions, given),
    ...(parser === undefined
      ? {
          ...readOptions(voteOptions, given),
          members: members && (await Promise.all(members.map((text) => readParserInText('--members', text)))),
        }
      : {
          parserOptions: given.parser === undefined ? {} : await readLearning(parser, given),
          guides: await readGuides(given),
        }),
    ...Object.fromEntries(await Promise.all(ofTasks)),
    cache,
    text: texts,
    encoding,
  };
}

async function train(
  ...[treebank, { options, onMember: _, onPart, onProgress, dev, ...run }]: Parameters<Trainable['train']>
): Promise<Trained> {
  const { cache, text, encoding, ...asked } = options as PipelineGiven;
  const store = await storeFolder(cache, run.onNotice);
  const trained = await trainPipeline(treebank, {
    ...run,
    options: asked,
    dev,
    store,
    text,
    encoding,
    onProgress: progressOf(onPart, onProgress),
  });
  return savedPipeline(trained);
}

/** Passes the progress of a training within a part to `onProgress`, other progress to `onPart`. */
export function progressOf(
  onPart: (progress: PartProgress) => void,
  onProgress: ((progress: TrainingProgress) => void) | undefined,
) {
  return (progress: PartProgress) => {
    if (progress.training === undefined) onPart(progress);
    else onProgress?.(progress.training);
  };
}

export function savedPipeline({ pipeline, about, scores }: TrainedPipeline): Trained {
  return {
    about,
    scores: { ...scores },
    writer: (header) => pipelineWriter(pipeline, header),
    scoreSaved: async (model, dev, signal) => {
      const scores = await scorePipeline(await openPipeline(model), dev, signal);
      return { about: { ...about, scores: namedScores(scores) }, scores: { ...scores } };
    },
  };
}
