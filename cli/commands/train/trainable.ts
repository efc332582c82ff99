import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Option } from 'commander';
import type { TrainAnnotatorOptions } from '../../../annotators/train-annotator.ts';
import type { PartProgress } from '../../../combine/parser-part.ts';
import { type StackingOptions, stackingOptions } from '../../../combine/stack/options.ts';
import type { TrainedParser, TrainParserOptions } from '../../../combine/train-parser.ts';
import type { Paradigm } from '../../../parsers/parser.ts';
import { findParadigm, openParser, paradigmNames, parserWriter } from '../../../parsers/registry.ts';
import type { TemplateChooser } from '../../../src/encoding/templates/choice.ts';
import { formatTemplates, readTemplateFile } from '../../../src/encoding/templates/template-file.ts';
import { type InputError, OptionError, UsageError } from '../../../src/errors.ts';
import { cacheFolder } from '../../../src/files/cache-folder.ts';
import { attempt } from '../../../src/files/files.ts';
import { TextFile } from '../../../src/files/text-file.ts';
import { readModelFile } from '../../../src/model/model-file.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import type { AboutModel } from '../../../src/training/about-model.ts';
import { scoreHeldOut } from '../../../src/training/held-out.ts';
import type { NamedScores, Origin, Silver } from '../../../src/training/training-run.ts';
import type { Expectation } from '../../../src/treebank/reading/format.ts';
import type { TreebankOptions } from '../../../src/treebank/reading/treebank-file.ts';
import type { Treebank } from '../../../src/treebank/sentence.ts';
import { openTreebanks } from '../../../src/treebank/treebanks.ts';
import { decimal, flag, integerOption, repeatable } from '../../options/common.ts';
import { optionsInText, optionsOfSchema, readOptions } from '../../options/schema-options.ts';
import { print } from '../../terminal/output.ts';

export interface Trained {
  readonly about: AboutModel<NamedScores>;
  /** Scores of a pipeline on held-out data, by its input: `text`, `tokens`. */
  readonly scores?: Readonly<Record<string, NamedScores | undefined>> | undefined;
  /** The model file, with this record of its training. */
  writer(about: AboutModel<NamedScores>): ModelWriter;
  /** Scores the saved `model`, whose weights are quantized; returns these scores, and the record with them. */
  scoreSaved(
    model: ModelReader,
    dev: Treebank,
    signal: AbortSignal,
  ): Promise<Pick<Trained, 'about' | 'scores'>>;
}

export function savedParser({ parser, about }: TrainedParser): Trained {
  return {
    about,
    writer: (header) => parserWriter(parser, header),
    scoreSaved: async (model, dev, signal) => {
      const saved = await openParser(model);
      const scores = await scoreHeldOut(dev, (sentence) => saved.parse(sentence), signal);
      return { about: { ...about, scores } };
    },
  };
}

type TrainingRequest = Omit<TrainParserOptions & TrainAnnotatorOptions, 'onMember' | 'options' | 'dev'> & {
  readonly options: object;
  readonly dev: Treebank | undefined;
  readonly onMember: (name: string, member: Trained) => void;
  readonly onPart: (progress: PartProgress) => void;
};

export type GivenOptions = Readonly<Record<string, unknown>> & { readonly templates?: readonly string[] };

/** How the options of a command line are read. */
interface Reading {
  /** Whether an option was typed, and does not just have its default. */
  isTyped(option: string): boolean;
  /** Called with each sentence that is skipped in the treebanks that options name. */
  onSkip(error: InputError): void;
}

interface OptionGroup {
  readonly title: string;
  readonly options: readonly Option[];
}

/** What `parliament train` can train on a treebank: a parser, an annotator or a pipeline. */
export interface Trainable
  extends Pick<Paradigm, 'name' | 'summary' | 'needsPhrases' | 'templates' | 'keepsState'> {
  readonly groups: readonly OptionGroup[];
  readonly examples?: readonly string[] | undefined;
  /** What the heads in the treebank must form. */
  readonly expect: Expectation;
  /** Whether finished parts are kept, so that training can always be resumed. */
  keepsParts?(options: object): boolean;
  /** Parses the options and reads the files they name; throws `UsageError` for an invalid one. */
  read(given: GivenOptions, reading: Reading): Promise<object>;
  /** Short names of the members of an ensemble to keep, each in its own file. */
  keptMembers?(options: object): readonly string[];
  train(treebank: Treebank, run: TrainingRequest): Promise<Trained>;
}

export type Learnable = Pick<Paradigm, 'options' | 'templates' | 'takesGuides'>;

/** Parses the training options; throws `UsageError` for an invalid one. */
export async function readLearning({ options, templates }: Learnable, given: GivenOptions) {
  const read = templates && { templates: await readTemplates(templates, given.templates ?? []) };
  return readOptions(options, { ...given, ...read }) as Record<string, unknown>;
}

export function cacheOption(): Option {
  return new Option(
    '--cache <folder>',
    'folder for finished parts, which --resume and other parsers reuse',
  ).default(undefined, '$PARLIAMENT_HOME, or else the system’s cache folder');
}

/** The folder for finished parts; undefined, with a notice, if there is none by default. */
export async function storeFolder(asked: string | undefined, onNotice: TrainingRequest['onNotice']) {
  if (asked !== undefined) return asked;
  const home = attempt(cacheFolder);
  if (home === undefined)
    onNotice?.('finished parts are not kept: no home folder, and PARLIAMENT_HOME is not set');
  return home && join(home, 'pipelines');
}

interface ParserInText {
  readonly parser: string;
  readonly options: Record<string, unknown>;
}

/** Reads a parser from an option's value, as in `graph --decoder eisner`; throws `UsageError` for an invalid one. */
export async function readParserInText(flag: string, text: string): Promise<ParserInText> {
  const [name, options = ''] = text.trim().split(/\s+(.*)/s, 2);
  const within = `option '${flag}': ${text}`;
  if (!paradigmNames().includes(name))
    throw new UsageError(`${within}: '${name}' is not one of ${paradigmNames().join(', ')}`);
  const read = await readInText(await findParadigm(name), options, within);
  if (read.keepMembers === true)
    throw new UsageError(`${within}: --keep-members goes with train ${name} alone`);
  return { parser: name, options: read };
}

export function readInText(learnable: Learnable, text: string, within: string) {
  return readLearning(learnable, optionsInText(learnable.options, text, within));
}

export function silverGroup(): OptionGroup {
  const files = 'trees predicted by other parsers, as additional training data; several are concatenated';
  const options = [new Option('--silver <files...>', files), ...weighingOptions('--silver')];
  return { title: 'Silver trees:', options };
}

/** Options for the weight of the trees of a `source` in training. */
export function weighingOptions(source: string): Option[] {
  return [
    new Option('--silver-weight <n>', `weight of a tree of ${source}, from 0 to 1; trees of --train have 1`)
      .argParser(decimal({ min: 0, max: 1 }))
      .default(undefined, '1'),
    integerOption('--gold-epochs <n>', 'number of final epochs on --train alone', { min: 0 }, undefined, '0'),
  ];
}

/** How all treebanks of a training are read. */
const treebankOptions = ({ format, encoding, skipInvalid }: GivenOptions, { onSkip }: Reading) =>
  ({ format, encoding, skipInvalid, onSkip, expect: 'trees' }) as TreebankOptions;

export async function readSilver(given: GivenOptions, reading: Reading): Promise<Silver | undefined> {
  const {
    silver: files,
    silverWeight: weight,
    goldEpochs,
  } = given as {
    readonly silver?: readonly string[];
    readonly silverWeight?: number;
    readonly goldEpochs?: number;
  };
  const stray = Object.entries({ silverWeight: weight, goldEpochs }).find(([, value]) => value !== undefined);
  if (files === undefined && stray === undefined) return undefined;
  if (files === undefined)
    throw new OptionError((option) => `${option(...stray!)} goes with ${option('silver')}`);
  return { treebank: await openTreebanks(files, treebankOptions(given, reading)), weight, goldEpochs };
}

/** @param changeable options that may differ from the options of the model to continue from */
export function furtherGroup(changeable: readonly string[]): OptionGroup {
  const flags = new Intl.ListFormat('en-GB').format(changeable.map((name) => flag(name)));
  const options = [
    new Option(
      '--from <model>',
      `continue from a trained model, adding the new words and labels of --train; all its options stay the same except ${flags}`,
    ),
    new Option('--old <files...>', 'treebank that the model was trained on, to train on a share of it again'),
    new Option('--replay <share>', 'share of the sentences of --old, from 0 to 1, against forgetting')
      .argParser(decimal({ min: 0, max: 1 }))
      .default(undefined, `${DEFAULT_REPLAY}`),
  ];
  return { title: 'Further training:', options };
}

const DEFAULT_REPLAY = 0.05;

export async function readOrigin(given: GivenOptions, reading: Reading): Promise<Origin | undefined> {
  const { from, old, replay } = given as { from?: string; old?: readonly string[]; replay?: number };
  const refuse = (name: string, value: unknown, other: string) => {
    throw new OptionError((option) => `${option(name, value)} goes with ${option(other)}`);
  };
  if (replay !== undefined && old === undefined) refuse('replay', replay, 'old');
  if (from === undefined) return old === undefined ? undefined : refuse('old', undefined, 'from');
  const model = readModelFile(from);
  if (old === undefined) return { model };
  const treebank = await openTreebanks(old, treebankOptions(given, reading));
  return { model, replay: { treebank, share: replay ?? DEFAULT_REPLAY } };
}

const foldsOption = stackingOptions.pick({ folds: true });

export interface GivenStacking extends StackingOptions {
  readonly cache?: string | undefined;
}

export function stackingGroup(): OptionGroup {
  return { title: 'Guides:', options: [guideOption(), ...optionsOfSchema(foldsOption), cacheOption()] };
}

export function guideOption(): Option {
  return repeatable(
    '--guide <parser>',
    'another parser, with its options in quotation marks, whose trees become features of this one (stacking); may be repeated',
  );
}

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

/** Resolves `--templates`: keeps names of template sets, and reads template files. */
async function readTemplates({ sets, sections }: TemplateChooser<never>, names: readonly string[]) {
  return Promise.all(
    names.map(async (name) => {
      if (sets.includes(name)) return name;
      const problem = `'${name}' is not one of ${sets.join(', ')}, nor is there such a file`;
      if (!existsSync(name)) throw new UsageError(`option '--templates': ${problem}`);
      return readTemplateFile(await new TextFile(name).text(), name, sections);
    }),
  );
}

export function printTemplates<Options>(chooser: TemplateChooser<Options>, options: Options): void {
  print(formatTemplates(chooser.choose(options), chooser.sections).trimEnd());
}
