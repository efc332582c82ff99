import type { z } from 'zod';
import type { TemplateChooser } from '../src/encoding/templates/choice.ts';
import type { ParseExplanation } from '../src/explain/explanation.ts';
import type { ExplainRequest } from '../src/explain/request.ts';
import type { Calibration } from '../src/learn/calibration.ts';
import type { ModelReader } from '../src/model/model-reader.ts';
import type { ModelWriter } from '../src/model/model-writer.ts';
import type { LinearTraining, TrainingRun } from '../src/training/training-run.ts';
import type { AnnotatedColumn } from '../src/treebank/columns/names.ts';
import type { FilledColumns } from '../src/treebank/columns/write.ts';
import type { PhraseTree } from '../src/treebank/phrases/phrase-tree.ts';
import type { DependencyTree, Sentence, Treebank } from '../src/treebank/sentence.ts';

/** The answer for a sentence; phrases and dependencies always agree. */
export interface Parse extends DependencyTree {
  /** The phrase-structure tree, from parsers that find one; heads and labels are converted from it. */
  readonly phrases?: PhraseTree | undefined;
  /** Remarks for the user if this sentence was not parsed as usual. */
  readonly notices: readonly string[];
  /**
   * The probability that each head is correct, from entry 1 on, if asked for and available. Without
   * calibration: a score from 0 to 1, higher for surer heads.
   */
  readonly confidences?: Float64Array | undefined;
  /** Columns filled by annotators before parsing. */
  readonly columns?: FilledColumns | undefined;
  /** In a vote: tokens for which several answers had most votes. */
  readonly ties?: number | undefined;
  /** Tags and features that the training data did not have; none if absent. */
  readonly unseen?: readonly UnseenValue[] | undefined;
}

/** One of the best trees of a sentence. */
export interface RankedParse extends Parse {
  /** Those of all trees of the sentence sum to at most 1; absent: not known. */
  readonly probability?: number | undefined;
}

export interface ParseOptions {
  /** Compute `confidences`, which takes extra time. */
  readonly confidence?: boolean | undefined;
}

export interface UnseenValue {
  readonly column: AnnotatedColumn;
  readonly token: number;
}

/** A trained parser. Each thread loads its own, over the same shared weights. */
export interface Parser {
  readonly paradigm: string;
  /** The columns besides forms that it was trained on: without them, trees get worse. */
  readonly reads: readonly AnnotatedColumn[];
  /** The share of training tokens with a value in each of these columns; 1 if absent. */
  readonly filled?: Readonly<Partial<Record<AnnotatedColumn, number>>> | undefined;
  /** How many guides' trees (`Sentence.guides`) it needs; none if absent. */
  readonly guides?: number | undefined;
  /** The best tree; reads forms, lemmas, tags and features of the sentence, never its heads or labels. */
  parse(sentence: Sentence, options?: ParseOptions): Parse;
  /** In order, one model after the other: a processor's cache does not hold the weights of all. */
  parseAll(sentences: readonly Sentence[], options?: ParseOptions): Parse[];
  /** Up to k different trees, the most probable first; absent: it finds the best tree only. */
  nBest?(sentence: Sentence, k: number): RankedParse[];
  /**
   * Explains the tree of a sentence by scores and search; absent: it cannot.
   * Throws `UsageError` for what cannot be explained, such as a token that does not exist.
   */
  explain?(sentence: Sentence, request?: ExplainRequest): ParseExplanation;
  /** Maps raw confidences to probabilities; saved in the model's header. */
  calibration?: Calibration | undefined;
  save(model: ModelWriter): void;
}

/** A parser as a paradigm provides it; `withParseAll` adds a missing `parseAll`. */
export type ParserImplementation = Omit<Parser, 'parseAll'> & Partial<Pick<Parser, 'parseAll'>>;

export function parseEach(
  parser: Pick<Parser, 'parse'>,
  sentences: readonly Sentence[],
  options?: ParseOptions,
): Parse[] {
  return sentences.map((sentence) => parser.parse(sentence, options));
}

export function withParseAll<P extends Pick<ParserImplementation, 'parse' | 'parseAll'>>(
  parser: P,
): P & Pick<Parser, 'parseAll'> {
  const { parseAll = (sentences, options) => parseEach(parser, sentences, options) } = parser;
  return parser.parseAll === undefined
    ? Object.assign(parser, { parseAll })
    : (parser as P & Pick<Parser, 'parseAll'>);
}

/** A way of parsing that can be learnt: all that the command line, votes and reports know about it. */
export interface Paradigm<Options = unknown> {
  readonly name: string;
  /** One line for `--help`. */
  readonly summary: string;
  /** Whether it learns from phrase-structure trees (`Sentence.phrases`) instead of dependencies. */
  readonly needsPhrases?: boolean | undefined;
  /** Names, types, ranges, defaults, descriptions, for the command line, too; unknown names are refused. */
  readonly options: z.ZodType<Options>;
  /** The templates to choose from with the option `templates`, if its features come from templates. */
  readonly templates?: TemplateChooser<Options> | undefined;
  /** Whether it can use other parsers' trees as features (`Sentence.guides`). */
  readonly takesGuides?: boolean | undefined;
  /** Whether it has the options of word vectors (`vectorOptions`). */
  readonly takesVectors?: boolean | undefined;
  /** Whether a training with these options can learn from `TrainingRun.silver`; absent: none can. */
  takesSilver?(options: Options): boolean;
  /** The options of a training that goes on from a model (`TrainingRun.from`), whose others stay; absent: none does. */
  readonly furtherOptions?: readonly string[] | undefined;
  /** Whether a training with these options saves its state and can be resumed; absent: none does. */
  keepsState?(options: Options): boolean;
  /** Whether a training with these options needs held-out data (when to stop, which epoch); absent: no. */
  needsHeldOut?(options: Options): boolean;
  /**
   * The same treebank, options and seed give the same parser, byte for byte. Held-out data that it does not
   * score after its epochs is scored at its end.
   */
  train(treebank: Treebank, options: Options, run: TrainingRun): Promise<ParserImplementation>;
  /** Opens a trained parser; throws `InputError` if the model is of another paradigm. */
  load(model: ModelReader): ParserImplementation;
  /** For linear models: how several are trained apart and averaged (Bayes points). */
  readonly linear?: LinearTraining<Options, Parser> | undefined;
}

/** The columns that any of the parsers reads, and the largest share of each filled in training. */
export function jointlyRead(parsers: readonly Pick<Parser, 'reads' | 'filled'>[]): {
  readonly reads: AnnotatedColumn[];
  readonly filled: Readonly<Partial<Record<AnnotatedColumn, number>>>;
} {
  const reads = [...new Set(parsers.flatMap((parser) => parser.reads))];
  const shares = (column: AnnotatedColumn) =>
    parsers.filter((parser) => parser.reads.includes(column)).map(({ filled }) => filled?.[column] ?? 1);
  const filled = Object.fromEntries(reads.map((column) => [column, Math.max(...shares(column))]));
  return { reads, filled };
}

export function jointlyUnseen(parses: readonly Parse[]): UnseenValue[] | undefined {
  const all = parses.flatMap(({ unseen = [] }) => unseen);
  if (all.length === 0) return undefined;
  return [...new Map(all.map((one) => [`${one.column} ${one.token}`, one])).values()];
}
