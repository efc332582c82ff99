import { InvalidArgumentError, Option } from 'commander';
import { type MethodName, methodNames, type WeightingName, weightingNames } from '../../../combine/names.ts';
import type { FileOptions } from '../../../combine/vote/files/vote-files.ts';
import { DEFAULT_METHOD, type VoteOptions } from '../../../combine/vote/vote.ts';
import { UsageError } from '../../../src/errors.ts';
import { isSameFile } from '../../../src/files/files.ts';
import { type CommonFlags, choiceOption, integerOption } from '../../options/common.ts';
import { plural } from '../../terminal/output.ts';

/** What `parliament vote` does: the options given determine the mode, and others are refused. */
export type VoteMode =
  | (Files & { readonly kind: 'files'; readonly weights: WeightSource })
  | (Files & { readonly kind: 'explain'; readonly weights: WeightSource; readonly gold: string })
  /** `files`: the files that the best ensemble then votes on; may be empty. */
  | (Files & { readonly kind: 'search'; readonly devGold: string; readonly dev: readonly string[] })
  | {
      readonly kind: 'models';
      readonly models: readonly string[];
      readonly input: string;
      readonly weights: WeightSource;
    };
export type ModeOf<Kind extends ModeName> = Extract<VoteMode, { readonly kind: Kind }>;
type Files = { readonly files: readonly string[] };

export type WeightSource =
  | { readonly kind: 'equal' }
  | { readonly kind: 'given'; readonly weights: readonly number[] }
  | { readonly kind: 'agreement' }
  /** Learnt from gold trees and the parsers' trees of the same sentences; `dev` is empty for models, which parse them. */
  | { readonly kind: 'dev'; readonly devGold: string; readonly dev: readonly string[] }
  /** Learnt from gold trees of the sentences voted on, by cross-validation. */
  | { readonly kind: 'cross-validation'; readonly devGold: string; readonly folds: number };

type ModeName = VoteMode['kind'];

const VOTING: readonly ModeName[] = ['files', 'models'];
const SEARCH_FINDS = '--search finds weights and method itself: expected none';

/** The modes that allow an option, and the message for the others. */
type ModesOfOption = readonly [modes: readonly ModeName[], refusal: string];

const modesOfOptions: Partial<Record<keyof VoteFlags, ModesOfOption>> = {
  gold: [['explain', 'search'], '--gold is for --explain and --search; use --dev-gold to learn weights'],
  output: [[...VOTING, 'search'], '--explain prints tables: expected no --output'],
  weights: [[...VOTING, 'explain'], SEARCH_FINDS],
  weighting: [[...VOTING, 'explain'], SEARCH_FINDS],
  method: [[...VOTING, 'explain'], SEARCH_FINDS],
  folds: [['search'], '--folds is for --search'],
  speeds: [['search'], '--speeds is for --search'],
  crossValidate: [VOTING, '--cross-validate is for voting: expected no --explain, --search'],
  model: [['models'], '--explain and --search take files of trees: parse with each model first'],
  skipInvalid: [['models'], '--skip-invalid is for --model: parsers’ files have to have the same sentences'],
  confidence: [VOTING, '--confidence is for the trees voted on: expected no --explain, --search'],
  allowMissing: [['models'], '--allow-missing is for --model: files of trees are voted on as they are'],
  jobs: [['models'], '--jobs is for --model: files of trees are voted on by one thread'],
};

/** Determines the mode from the options; throws `UsageError` for options that do not fit together. */
export function voteMode(
  files: readonly string[],
  flags: VoteFlags,
  isTyped: (option: string) => boolean,
): VoteMode {
  const { explain, search, model, to } = flags;
  if (explain && search) throw new UsageError('--explain or --search, not both');
  const kind = search ? 'search' : explain ? 'explain' : model === undefined ? 'files' : 'models';
  for (const [option, [modes, refusal]] of Object.entries(modesOfOptions)) {
    if (isTyped(option) && !modes.includes(kind)) throw new UsageError(refusal);
  }
  if (to === 'markdown' && VOTING.includes(kind))
    throw new UsageError('--to markdown is for the tables of --explain and --search');
  return readMode[kind](files, flags);
}

const readMode: Readonly<Record<ModeName, (files: readonly string[], flags: VoteFlags) => VoteMode>> = {
  files: (files, flags) => {
    checkNamed(files, flags);
    return { kind: 'files', files, weights: weightSource(files, files.length, flags) };
  },
  models: (files, flags) => {
    if (files.length > 1)
      throw new UsageError('--model takes one file of sentences; repeat --model for each model');
    const [input = '-'] = files;
    const models = flags.model!;
    return { kind: 'models', models, input, weights: weightSource([input], models.length, flags) };
  },
  explain: (files, flags) => {
    const { gold } = flags;
    if (gold === undefined) throw new UsageError('--explain needs --gold: the right trees');
    checkNamed(files, flags);
    return { kind: 'explain', files, gold, weights: weightSource(files, files.length, flags) };
  },
  search: (files, flags) => {
    const { devGold, dev, speeds } = flags;
    if (devGold === undefined) throw new UsageError('--search needs --dev-gold, to search on');
    if (dev === undefined) throw new UsageError('--search needs --dev: the parsers’ trees for --dev-gold');
    checkSearched(files, dev, flags);
    if (speeds !== undefined) checkOneEach(speeds.length, 'speed', dev.length);
    return { kind: 'search', files, devGold, dev };
  },
};

function checkNamed(files: readonly string[], { dev }: VoteFlags): void {
  if (files.length > 0) return;
  if (dev !== undefined) checkDevCount(dev, 0);
  throw new UsageError('name the files of trees');
}

/** With `--search`, files to vote on are needed only for `--gold` and `--output`. */
function checkSearched(files: readonly string[], dev: readonly string[], { output, gold }: VoteFlags): void {
  if (files.length > 0) {
    checkDevCount(dev, files.length);
    if ((output ?? gold) === undefined)
      throw new UsageError('--search has no use for the files to vote on without --gold or --output');
  } else if (output !== undefined) {
    throw new UsageError('--output needs files to vote on, named before --dev');
  } else if (gold !== undefined) {
    throw new UsageError('--gold needs files of trees to score, named before --dev');
  }
}

function weightSource(files: readonly string[], count: number, flags: VoteFlags): WeightSource {
  const { crossValidate, weights, weighting, devGold, dev, model } = flags;
  if (crossValidate !== undefined) return crossValidation(files, crossValidate, flags);
  if (weights !== undefined) {
    if (devGold ?? dev ?? weighting)
      throw new UsageError('--weights sets the weights: expected no --dev-gold, --dev or --weighting');
    checkOneEach(weights.length, 'weight', count);
    return { kind: 'given', weights };
  }
  if (devGold === undefined) return sourceWithoutGold(flags);
  if (model !== undefined) {
    if (dev !== undefined) throw new UsageError('--model parses --dev-gold itself: expected no --dev');
    return { kind: 'dev', devGold, dev: [] };
  }
  if (dev === undefined)
    throw new UsageError('--dev-gold needs --dev: the parsers’ trees of these sentences');
  checkDevCount(dev, count);
  return { kind: 'dev', devGold, dev };
}

function sourceWithoutGold({ weighting = 'equal', dev, skipInvalid }: VoteFlags): WeightSource {
  if (dev !== undefined)
    throw new UsageError(
      '--dev has the parsers’ trees for the sentences of --dev-gold: --dev-gold is missing',
    );
  if (weighting === 'equal') return { kind: 'equal' };
  if (weighting !== 'agreement')
    throw new UsageError(`--weighting ${weighting} is learnt from gold trees: it needs --dev-gold`);
  if (skipInvalid)
    throw new UsageError('--weighting agreement takes all sentences: expected no --skip-invalid');
  return { kind: 'agreement' };
}

function crossValidation(files: readonly string[], folds: number, flags: VoteFlags): WeightSource {
  const { devGold, dev, weights, skipInvalid } = flags;
  if (weights !== undefined) throw new UsageError('--weights are not learnt: expected no --cross-validate');
  if (devGold === undefined)
    throw new UsageError('--cross-validate needs --dev-gold: the right trees of the sentences voted on');
  if (skipInvalid) throw new UsageError('--cross-validate takes all sentences: expected no --skip-invalid');
  const areSame = dev?.length === files.length && dev.every((file, i) => isSameFile(file, files[i]));
  if (dev !== undefined && !areSame)
    throw new UsageError('--cross-validate learns weights from the files voted on: expected no other --dev');
  return { kind: 'cross-validation', devGold, folds };
}

function checkDevCount(dev: readonly string[], count: number): void {
  if (dev.length > count) {
    const taken = `--dev took all ${plural(dev.length, 'name')} after it, for ${plural(count, 'parser')}`;
    throw new UsageError(`${taken}: put the files to vote on first`);
  }
  checkOneEach(dev.length, '--dev file', count);
}

function checkOneEach(found: number, what: string, count: number): void {
  if (found === count) return;
  throw new UsageError(`${plural(found, what)} for ${plural(count, 'parser')}, expected one each`);
}

export const voteTables = ['text', 'markdown', 'json'] as const;

export interface VoteFlags extends CommonFlags {
  readonly output?: string;
  readonly model?: readonly string[];
  readonly weights?: readonly number[];
  readonly devGold?: string;
  readonly dev?: readonly string[];
  readonly weighting?: WeightingName;
  readonly crossValidate?: number;
  readonly method?: MethodName;
  readonly singleRoot?: boolean;
  readonly confidence?: boolean;
  readonly explain?: boolean;
  readonly search?: boolean;
  readonly folds?: number;
  readonly speeds?: readonly number[];
  readonly gold?: string;
  readonly jobs: number;
  readonly to: (typeof voteTables)[number];
}

export const weightsOption = () =>
  new Option('--weights <a,b,…>', 'weight of each parser').argParser(numbers);

export const speedsOption = () =>
  new Option(
    '--speeds <a,b,…>',
    'with --search: sentences per second of each parser, in the order of --dev, to show the speed of ensembles',
  ).argParser((text) => {
    const speeds = numbers(text);
    if (speeds.every((speed) => speed > 0)) return speeds;
    throw new InvalidArgumentError('Expected numbers above 0.');
  });

function numbers(text: string): number[] {
  return text.split(',').map((number) => {
    if (/^ *(\d+\.?\d*|\.\d+)(e[-+]?\d{1,2})? *$/i.test(number)) return Number(number);
    throw new InvalidArgumentError(`Expected numbers from 0 with commas between them, not “${number}”.`);
  });
}

export const weightingOption = (without = 'equal and agreement') =>
  choiceOption(
    '--weighting <name>',
    `how votes are weighted; all but ${without} need --dev-gold`,
    weightingNames,
    'learnt from 500 sentences on; from fewer las, or as without --dev-gold if a network has the best LAS',
  );

export const crossValidateOption = () =>
  integerOption(
    '--cross-validate <n>',
    'number of folds if --dev-gold has the sentences voted on: weights for each fold are learnt from the others',
    { min: 2, max: 100 },
  );

export const methodOption = () =>
  choiceOption('--method <name>', 'how votes are combined into a tree', methodNames, DEFAULT_METHOD);

export const singleRootOptions = () => [
  new Option('--single-root', 'exactly one token depends on the root (default: as in most of the trees)'),
  new Option('--no-single-root', 'one or more tokens depend on the root'),
];

export function outputOf({ output = '-' }: VoteFlags): string {
  return output;
}

export function fileOptions({ format, encoding }: VoteFlags): FileOptions {
  return { format, encoding };
}

export function voteOptions({ method = DEFAULT_METHOD, singleRoot }: VoteFlags): VoteOptions {
  return { method, singleRoot };
}
