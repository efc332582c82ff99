import type { PunctuationChoice } from '../../src/evaluate/attachment/punctuation.ts';
import type { PhraseScorerName } from '../../src/evaluate/parseval/scorers.ts';
import type { Vote } from '../jobs/job.ts';
import type { Morphology } from '../jobs/morphology.ts';
import type { Statistic } from '../results/statistics.ts';
import type { ScoredTreebankChoice, TagSource, TreebankChoice } from './schema.ts';

/** What every cell has. */
interface CommonSettings {
  readonly punctuation: PunctuationChoice;
  readonly brackets: PhraseScorerName;
  readonly statistic: Statistic;
}

/** What is parsed in a cell. */
interface ScoredSettings extends CommonSettings {
  readonly treebank: TreebankChoice;
  readonly scoreOn: ScoredTreebankChoice | undefined;
  readonly maxTokens: number | undefined;
  readonly devShare: number;
}

/** Everything that a trained cell is made by, settled. */
export interface TrainedSettings extends ScoredSettings {
  readonly paradigm: string;
  /** Every training option, with its value. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Likewise. */
  readonly guides: readonly SettledGuide[];
  readonly morphology: Morphology | undefined;
  readonly tags: TagSource;
  readonly taggedBy: TreebankChoice | undefined;
  readonly folds: number;
  readonly trainSentences: number | undefined;
  /** The share of the sentences to learn from by which training judges its epochs, where it does. */
  readonly setAside: number;
  readonly seeds: readonly number[];
}

export interface SettledGuide {
  readonly parser: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** A cell whose trees another program has found. */
export interface FileSettings extends ScoredSettings {
  /** With `{part}` in it, perhaps; undefined where there is none for this cell. */
  readonly file: string | undefined;
}

/** Everything that a cell is made by that takes the trees of others. */
export interface PooledSettings extends CommonSettings {
  /** The places of these cells, all trained. */
  readonly of: readonly { readonly row: number; readonly column: number }[];
  /** Absent: it shows their runs. */
  readonly vote: Vote | undefined;
  readonly setAside: number;
}

export type CellSettings = TrainedSettings | FileSettings | PooledSettings;

export function isTrained(settings: CellSettings): settings is TrainedSettings {
  return 'paradigm' in settings;
}
