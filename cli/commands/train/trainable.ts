import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Option } from 'commander';
import type { TrainAnnotatorOptions } from '../../../annotators/train-annotator.ts';
import type { PartProgress } from '../../../combine/parser-part.ts';
import { type StackingOptions, stackingOptions } from '../../../combine/stack/options.ts';
import type { TrainParserOptions } from '../../../combine/train-parser.ts';
import type { Paradigm } from '../../../parsers/parser.ts';
import { findParadigm, paradigmNames } from '../../../parsers/registry.ts';
import type { TemplateChooser } from '../../../src/encoding/templates/choice.ts';
import { formatTemplates, readTemplateFile } from '../../../src/encoding/templates/template-file.ts';
import { OptionError, UsageError } from '../../../src/errors.ts';
import { TextFile } from '../../../src/files/text-file.ts';
import type { AboutModel } from '../../../src/training/about-model.ts';
import type { NamedScores } from '../../../src/training/training-run.ts';
import { cacheFolder } from '../../../src/treebank/catalogue.ts';
import type { Expectation } from '../../../src/treebank/reading/format.ts';
import type { Treebank } from '../../../src/treebank/sentence.ts';
import { severalTimes } from '../../options/flags.ts';
import { optionsInText, optionsOfSchema, readOptions } from '../../options/schema-options.ts';
import { print } from '../../terminal/output.ts';

/** What has been learnt, and how it is written to a file with what is known of it. */
export interface Trained {
  readonly about: AboutModel<NamedScores>;
  /** The scores on held-out data by what they are of, where they are not those of the last epoch. */
  readonly scores?: Readonly<Record<string, NamedScores | undefined>> | undefined;
  save(path: string, about: AboutModel<NamedScores>): void;
}

type TrainingRequest = Omit<TrainParserOptions & TrainAnnotatorOptions, 'onMember' | 'options'> & {
  readonly options: object;
  /** Told of a member of an ensemble that is to be kept, by a short name. */
  readonly onMember: (name: string, member: Trained) => void;
  /** Told how far the parts of a pipeline are. */
  readonly onPart: (progress: PartProgress) => void;
};

/** Options as commander gives them. */
export type GivenOptions = Readonly<Record<string, unknown>> & { readonly templates?: readonly string[] };

/** Options that stand together in the help. */
interface OptionGroup {
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
  train(treebank: Treebank, run: TrainingRequest): Promise<Trained>;
}

/** What has options of its own, those of its schema. */
export type Learnable = Pick<Paradigm, 'options' | 'templates' | 'takesGuides'>;

/** The options of a schema among those given, with the templates of the files that they name. */
export async function readLearning(
  { options, templates }: Learnable,
  given: GivenOptions,
): Promise<Record<string, unknown>> {
  const read = templates && { templates: await readTemplates(templates, given.templates ?? []) };
  return readOptions(options, { ...given, ...read }) as Record<string, unknown>;
}

/** Where parts of models are kept, below the folder of what can be had again. */
const FOLDER = 'pipelines';

export function cacheOption(): Option {
  return new Option(
    '--cache <folder>',
    'where finished parts are kept, for --resume and for other parsers',
  ).default(undefined, '$PARLIAMENT_HOME, or else the system’s cache folder');
}

/** The folder that is asked for, or the usual one; where the user has no home, nothing is kept. */
export async function storeFolder(
  asked: string | undefined,
  onNotice: TrainingRequest['onNotice'],
): Promise<string | undefined> {
  if (asked !== undefined) return asked;
  const home = await cacheFolder().catch(() => undefined);
  if (home === undefined) onNotice?.('there is no home folder to keep finished parts in: they are not kept');
  return home && join(home, FOLDER);
}

/** A parser with options of its own. */
interface ParserInText {
  readonly parser: string;
  readonly options: Record<string, unknown>;
}

/** A parser in the value of an option, as it is typed: `graph --decoder eisner`. Throws `UsageError` for what is none. */
export async function readParserInText(flag: string, text: string): Promise<ParserInText> {
  const [name, options = ''] = text.trim().split(/\s+(.*)/s, 2);
  const within = `option '${flag}': ${text}`;
  if (!paradigmNames().includes(name))
    throw new UsageError(`${within}: '${name}' is not one of ${paradigmNames().join(', ')}`);
  return { parser: name, options: await readInText(await findParadigm(name), options, within) };
}

/** The options of what is learnt in a text that has them as they are typed. */
export function readInText(
  learnable: Learnable,
  text: string,
  within: string,
): Promise<Record<string, unknown>> {
  return readLearning(learnable, optionsInText(learnable.options, text, within));
}

const foldsOption = stackingOptions.pick({ folds: true });

/** By whom a parser is guided, and where what is finished of that is kept. */
export interface GivenStacking extends StackingOptions {
  readonly cache?: string | undefined;
}

export function stackingGroup(): OptionGroup {
  return {
    title: 'Guides:',
    options: [guideOption(), ...optionsOfSchema(foldsOption), cacheOption()],
  };
}

export function guideOption(): Option {
  return severalTimes(
    new Option(
      '--guide <parser>',
      'another parser, with its options in quotation marks, whose trees this one has as features; may be given several times',
    ),
  );
}

/** Who guides, and what goes with that; undefined: nothing of it is asked for. */
export async function readStacking(given: GivenOptions): Promise<GivenStacking | undefined> {
  const guides = await readGuides(given);
  const cache = given.cache as string | undefined;
  const { folds } = readOptions(foldsOption, given);
  if (guides === undefined && cache !== undefined)
    throw new OptionError((option) => `${option('cache', cache)} goes with ${option('guide')}`);
  return guides === undefined && folds === undefined ? undefined : { guides, folds, cache };
}

export async function readGuides(given: GivenOptions): Promise<StackingOptions['guides']> {
  const asked = given.guide as readonly string[] | undefined;
  return asked && Promise.all(asked.map((text) => readParserInText('--guide', text)));
}

export const printTemplatesOption = () =>
  new Option(
    '--print-templates',
    'print the templates that these options ask for, in the format of their files, and do not train',
  );

/** What `--templates` said, with the templates of files in the place of their names. */
export async function readTemplates(
  { sets, sections }: TemplateChooser<never>,
  names: readonly string[],
): Promise<unknown[]> {
  return Promise.all(
    names.map(async (name) => {
      if (sets.includes(name)) return name;
      if (!existsSync(name)) {
        throw new UsageError(
          `option '--templates': '${name}' is not one of ${sets.join(', ')}, nor is there such a file`,
        );
      }
      return readTemplateFile(await textOf(name), name, sections);
    }),
  );
}

/** Prints the templates that options ask for. */
export function printTemplates<Options>(chooser: TemplateChooser<Options>, options: Options): void {
  print(formatTemplates(chooser.choose(options), chooser.sections).trimEnd());
}

async function textOf(path: string): Promise<string> {
  let text = '';
  for await (const chunk of new TextFile(path).chunks()) text += chunk;
  return text;
}
