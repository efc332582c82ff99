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

/** What a parser finds in a sentence: one answer, so that phrases and dependencies cannot disagree. */
export interface Parse extends DependencyTree {
  /** The phrase-structure tree, of a parser that finds such: heads and labels are the dependencies in it. */
  readonly phrases?: PhraseTree | undefined;
  /** What the user should know if this sentence was not parsed as usual. */
  readonly notices: readonly string[];
  /**
   * How probable it is that the head of each token, from 1 on, is right; where that was asked for, and the parser can
   * tell. Of a parser that has not been calibrated it is a figure from 0 to 1 that is the higher the surer it is.
   */
  readonly confidences?: Float64Array | undefined;
  /** Of what annotates a sentence before it parses it: the columns that it has filled. */
  readonly columns?: FilledColumns | undefined;
  /** Of several parsers' vote: tokens for which several answers had most votes. */
  readonly ties?: number | undefined;
  /** Tags and features that the parser reads and the training data did not have; left out: none. */
  readonly unseen?: readonly UnseenValue[] | undefined;
}

/** What a parse should contain besides a tree. */
export interface ParseOptions {
  /** `confidences`, which take time of their own. */
  readonly confidence?: boolean | undefined;
}

/** The value of a token in a column. */
export interface UnseenValue {
  readonly column: AnnotatedColumn;
  readonly token: number;
}

/** A trained parser. Not to be shared between threads: each loads its own, over the same shared weights. */
export interface Parser {
  /** The name of its paradigm. */
  readonly paradigm: string;
  /** The columns besides forms that it was trained to read: sentences that lack one are parsed the worse for it. */
  readonly reads: readonly AnnotatedColumn[];
  /** Of these columns, the share of the training data's tokens that had something in it; left out: all had. */
  readonly filled?: Readonly<Partial<Record<AnnotatedColumn, number>>> | undefined;
  /** How many other parsers' trees it looks at, which sentences are then to have (`guides`); left out: none. */
  readonly guides?: number | undefined;
  /** The best tree; reads forms, lemmas, tags and features of the sentence, never its heads or labels. */
  parse(sentence: Sentence, options?: ParseOptions): Parse;
  /**
   * Parses several sentences, in order. A parser that uses several models runs one after the other here: the weights of
   * all do not fit into a processor's cache at a time.
   */
  parseAll(sentences: readonly Sentence[], options?: ParseOptions): Parse[];
  /**
   * How it comes to the tree of a sentence, by its own scores and search; left out: it cannot say. Throws
   * `UsageError` for what cannot be explained, such as a token that there is not.
   */
  explain?(sentence: Sentence, request?: ExplainRequest): ParseExplanation;
  /** Maps raw confidences to probabilities; kept in the model's header. */
  calibration?: Calibration | undefined;
  save(model: ModelWriter): void;
}

/** A parser as a paradigm provides it: `parseAll` may be left out, `withParseAll` then adds it. */
export type ParserImplementation = Omit<Parser, 'parseAll'> & Partial<Pick<Parser, 'parseAll'>>;

export function parseEach(
  parser: Pick<Parser, 'parse'>,
  sentences: readonly Sentence[],
  options?: ParseOptions,
): Parse[] {
  return sentences.map((sentence) => parser.parse(sentence, options));
}

/** The parser itself, given a `parseAll` if it has none. */
export function withParseAll<P extends Pick<ParserImplementation, 'parse' | 'parseAll'>>(
  parser: P,
): P & Pick<Parser, 'parseAll'> {
  const { parseAll = (sentences, options) => parseEach(parser, sentences, options) } = parser;
  return parser.parseAll === undefined
    ? Object.assign(parser, { parseAll })
    : (parser as P & Pick<Parser, 'parseAll'>);
}

/** A way to parse that can be learnt from a treebank: all that command line, votes and reports know of it. */
export interface Paradigm<Options = unknown> {
  readonly name: string;
  /** One line for `--help`. */
  readonly summary: string;
  /** Whether it learns from phrase-structure trees (`Sentence.phrases`) and not from dependencies. */
  readonly needsPhrases?: boolean | undefined;
  /**
   * Names, types, ranges, defaults and descriptions of the options; unknown names are refused. The command line
   * is made from it.
   */
  readonly options: z.ZodType<Options>;
  /** Of paradigms whose features come from templates: which ones can be asked for by the option `templates`. */
  readonly templates?: TemplateChooser<Options> | undefined;
  /** Whether it learns to look at other parsers' trees where sentences have such (`Sentence.guides`). */
  readonly takesGuides?: boolean | undefined;
  /** Whether a training with such options keeps its state, so that it can be resumed; absent: none does. */
  keepsState?(options: Options): boolean;
  /**
   * Whether a training with such options decides by the held-out data of the run (when to end, which epoch to keep), and
   * fails without; absent: none does.
   */
  needsHeldOut?(options: Options): boolean;
  /**
   * Learns a parser; the same treebank, options and seed give the same parser, byte for byte. Need not score
   * the held-out data itself: what does not do so after its epochs is scored at its end.
   */
  train(treebank: Treebank, options: Options, run: TrainingRun): Promise<ParserImplementation>;
  /** Opens a trained parser; throws `InputError` where the model is not of this paradigm. */
  load(model: ModelReader): ParserImplementation;
  /** Where its parsers are vectors of weights: how several are trained apart and averaged (Bayes points). */
  readonly linear?: LinearTraining<Options, Parser> | undefined;
}

/** The columns that several parsers read, and of these the largest share that was filled of what one was trained on. */
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
