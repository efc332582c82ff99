import { join } from 'node:path';
import { Option } from 'commander';
import { findTask } from '../../../annotators/registry.ts';
import { savePipeline } from '../../../combine/pipeline/saved-pipeline.ts';
import {
  annotatorNames,
  DEFAULT_MEMBERS,
  pipelineOptions,
  VOTE,
} from '../../../combine/pipeline/training/options.ts';
import { trainPipeline } from '../../../combine/pipeline/training/train-pipeline.ts';
import { findParadigm, paradigmNames } from '../../../parsers/registry.ts';
import { UsageError } from '../../../src/errors.ts';
import { cacheFolder } from '../../../src/treebank/catalogue/catalogue.ts';
import { flag } from '../../options/flags.ts';
import { optionsInText } from '../../options/options-in-text.ts';
import { optionsOfSchema, readOptions } from '../../options/schema-options.ts';
import {
  type GivenOptions,
  type Learnable,
  type Run,
  readLearning,
  type Trainable,
  type Trained,
} from './trainable.ts';

const ownOptions = pipelineOptions.pick({ tags: true, folds: true });
const voteOptions = pipelineOptions.pick({ weighting: true, method: true });

/** Where parts are kept, below the folder of what can be had again. */
const FOLDER = 'pipelines';

/** Text to trees, learnt in one go; the parser that the words ask for has options of its own among them. */
export async function pipelineOf(words: readonly string[]): Promise<Trainable> {
  const name = parserNamed(words);
  const parser = name === VOTE ? undefined : await findParadigm(name);
  return {
    name: 'pipeline',
    summary:
      'Learns all that makes trees of text, as far as the treebank has it: tokenizer, tagger, lemmatizer, and a parser.',
    groups: [
      { title: 'Pipeline:', options: partOptions() },
      parser === undefined
        ? { title: 'Vote:', options: votingOptions() }
        : {
            title: `Parser (${name}; see ${flag('parser', 'NAME')} ${flag('help')} for others):`,
            options: optionsOfSchema(parser.options),
          },
    ],
    examples: [
      'parliament train pipeline --train train.conllu --dev dev.conllu --model english.model',
      'parliament train pipeline --train train.conllu --model english.model --parser graph --decoder eisner',
      `parliament train pipeline --train train.conllu --dev dev.conllu --model english.model --parser ${VOTE} --members 'graph --decoder eisner' 'transition --beam 4' bigram`,
    ],
    expect: 'trees',
    templates: parser?.templates && {
      ...parser.templates,
      choose: (options) => parser.templates!.choose((options as PipelineGiven).parserOptions),
    },
    keepsParts: true,
    keepsState: (options) => parser?.keepsState?.((options as PipelineGiven).parserOptions) ?? false,
    keptMembers: () => [],
    read: (given) => readPipeline(given, parser),
    train,
  };
}

/** The options of a pipeline, as `trainPipeline` takes them, and where parts are kept. */
interface PipelineGiven {
  readonly parserOptions: object;
  readonly cache?: string | undefined;
}

/** The parser that is asked for; of one that is none commander will say so. */
function parserNamed(words: readonly string[]): string {
  const at = words.findIndex((word) => /^--parser(=|$)/.test(word));
  const name = words[at]?.split('=', 2)[1] ?? words[at + 1];
  const isKnown = at >= 0 && [...paradigmNames(), VOTE].includes(name);
  return isKnown ? name : pipelineOptions.shape.parser.parse(undefined);
}

function partOptions(): Option[] {
  const [parser] = optionsOfSchema(pipelineOptions.pick({ parser: true }));
  const ofTasks = annotatorNames.map(
    (name) => new Option(`--${name} <options>`, `as train ${name} takes them, in quotation marks`),
  );
  const cache = new Option(
    '--cache <folder>',
    'where finished parts are kept, for --resume and for other parsers',
  ).default(undefined, '$PARLIAMENT_HOME, or else the system’s cache folder');
  return [parser.choices([...paradigmNames(), VOTE]), ...optionsOfSchema(ownOptions), ...ofTasks, cache];
}

function votingOptions(): Option[] {
  const standard = DEFAULT_MEMBERS.map(({ parser, options }) => inWords(parser, options)).join(', ');
  const members = new Option(
    '--members <parsers...>',
    'who votes: parsers, each with its options in quotation marks',
  );
  return [members.default(undefined, standard), ...optionsOfSchema(voteOptions)];
}

function inWords(name: string, options: object = {}): string {
  const words = [name, ...Object.entries(options).map(([option, value]) => flag(option, value))];
  return words.length === 1 ? name : `'${words.join(' ')}'`;
}

async function readPipeline(given: GivenOptions, parser: Learnable | undefined): Promise<object> {
  const members = given.members as readonly string[] | undefined;
  const ofTasks = annotatorNames.map(async (name) => {
    const { options } = await findTask(name);
    const text = given[name] as string | undefined;
    return [name, text === undefined ? {} : await readInText({ options }, text, `option '${flag(name)}'`)];
  });
  return {
    parser: given.parser,
    ...readOptions(ownOptions, given),
    ...(parser === undefined
      ? {
          ...readOptions(voteOptions, given),
          members: members && (await Promise.all(members.map(readMember))),
        }
      : { parserOptions: await readLearning(parser, given) }),
    ...Object.fromEntries(await Promise.all(ofTasks)),
    cache: given.cache,
  };
}

async function readMember(text: string): Promise<object> {
  const [name, options = ''] = text.trim().split(/\s+(.*)/s, 2);
  const within = `option '--members': ${text}`;
  if (!paradigmNames().includes(name))
    throw new UsageError(`${within}: '${name}' is not one of ${paradigmNames().join(', ')}`);
  return { parser: name, options: await readInText(await findParadigm(name), options, within) };
}

function readInText(learnable: Learnable, text: string, within: string): Promise<object> {
  return readLearning(learnable, optionsInText(learnable.options, text, within));
}

async function train(
  ...[treebank, { options, onMember: _, onPart, onProgress, dev, ...run }]: Parameters<Trainable['train']>
): Promise<Trained> {
  const { cache, ...asked } = options as PipelineGiven;
  const store = await storeFolder(cache, run.onNotice);
  const { pipeline, about, scores } = await trainPipeline(treebank, {
    ...run,
    options: asked,
    dev,
    store,
    onProgress: (progress) => {
      if (progress.training === undefined) onPart(progress);
      else onProgress?.(progress.training);
    },
  });
  return { about, scores: { ...scores }, save: (path, told) => savePipeline(path, pipeline, told) };
}

/** Where the user has no home, nothing is kept. */
async function storeFolder(
  asked: string | undefined,
  onNotice: Run['onNotice'],
): Promise<string | undefined> {
  if (asked !== undefined) return asked;
  const home = await cacheFolder().catch(() => undefined);
  if (home === undefined) onNotice?.('there is no home folder to keep finished parts in: they are not kept');
  return home && join(home, FOLDER);
}
