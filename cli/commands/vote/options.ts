import { InvalidArgumentError, Option } from 'commander';
import { type MethodName, methodNames, type WeightingName, weightingNames } from '../../../combine/names.ts';
import type { FileOptions } from '../../../combine/vote/files/vote-files.ts';
import { DEFAULT_METHOD, type VoteOptions } from '../../../combine/vote/vote.ts';
import type { TreebankFormat } from '../../../src/treebank/reading/format.ts';
import { choiceOption, integerOption } from '../../options/common.ts';

export const voteTables = ['text', 'markdown', 'json'] as const;

export interface VoteFlags {
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
  readonly format?: TreebankFormat;
  readonly encoding: string;
  readonly skipInvalid?: boolean;
  readonly allowMissing?: boolean;
  readonly jobs: number;
  readonly to: (typeof voteTables)[number];
  readonly quiet?: boolean;
}

export const weightsOption = () =>
  new Option('--weights <a,b,…>', 'weight of each parser').argParser(numbers);

export const speedsOption = () =>
  new Option(
    '--speeds <a,b,…>',
    'with --search: sentences per second of each parser, in the order of --dev; adds the speed of ensembles',
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

export const weightingOption = () =>
  choiceOption(
    '--weighting <name>',
    'how votes are weighted; all but equal and agreement need --dev-gold',
    weightingNames,
    'learnt from 500 sentences on, else las',
  );

export const crossValidateOption = () =>
  integerOption(
    '--cross-validate <n>',
    'with --dev-gold for the sentences voted on: number of folds; each is voted on with weights from the others',
    { min: 2, max: 100 },
  );

export const methodOption = () =>
  choiceOption('--method <name>', 'how votes are combined into a tree', methodNames, DEFAULT_METHOD);

export const singleRootOption = () =>
  new Option('--single-root', 'exactly one token depends on the root (default: as in most of the trees)');
export const noSingleRootOption = () =>
  new Option('--no-single-root', 'one or more tokens depend on the root');

export function outputOf({ output = '-' }: VoteFlags): string {
  return output;
}

export function fileOptions({ format, encoding }: VoteFlags): FileOptions {
  return { format, encoding };
}

export function voteOptions({ method = DEFAULT_METHOD, singleRoot }: VoteFlags): VoteOptions {
  return { method, singleRoot };
}
