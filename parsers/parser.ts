import type { z } from 'zod';
import { checkFields } from '../src/checks.ts';
import { type EncodedColumn, type EncodedSentence, valueAt } from '../src/encoding/columns.ts';
import { encodeGuide } from '../src/encoding/guides.ts';
import { Lowering } from '../src/encoding/lifted-labels.ts';
import type { Numbering } from '../src/encoding/numbering.ts';
import type { TemplateChooser } from '../src/encoding/templates/choice.ts';
import { FIRST_ID, UNKNOWN } from '../src/encoding/vocabulary.ts';
import { UsageError } from '../src/errors.ts';
import type { ParseExplanation } from '../src/explain/explanation.ts';
import type { ExplainRequest } from '../src/explain/request.ts';
import type { Calibration } from '../src/learn/calibration.ts';
import type { ModelReader } from '../src/model/model-reader.ts';
import type { ModelWriter } from '../src/model/model-writer.ts';
import type { LinearTraining, TrainingRun } from '../src/training/training-run.ts';
import type { Confidences } from '../src/treebank/columns/confidence.ts';
import type { AnnotatedColumn, MorphologyColumn } from '../src/treebank/columns/names.ts';
import type { ColumnAlternative, FilledColumns } from '../src/treebank/columns/write.ts';
import type { PhraseTree } from '../src/treebank/phrases/phrase-tree.ts';
import type { DependencyTree, Sentence, Treebank } from '../src/treebank/sentence.ts';

/** The answer for a sentence. */
export interface Parse extends DependencyTree {
  /** The phrase-structure tree, from parsers that find one. Grammars' heads and labels are converted from it, those of spans from a tree with a few more phrases. */
  readonly phrases?: PhraseTree | undefined;
  /** Remarks for the user if this sentence was not parsed as usual. */
  readonly notices: readonly string[];
  /**
   * The probability that each head is correct, from entry 1 on, if asked for and available. Without
   * calibration: a score from 0 to 1, higher for more confident heads.
   */
  readonly confidences?: Float64Array | undefined;
  /** The probable arcs, if requested and available (from networks). */
  readonly arcs?: ProbableArcs | undefined;
  /** Columns filled by annotators, or by a parser that tags. */
  readonly columns?: FilledColumns | undefined;
  /** Confidences of `columns`, if requested. */
  readonly columnConfidences?: Confidences | undefined;
  /** In a vote: number of tokens with a tie for most votes. */
  readonly ties?: number | undefined;
  /** Tags and features that did not occur in the training data; none if absent. */
  readonly unseen?: readonly UnseenValue[] | undefined;
}

/**
 * Arcs with their probabilities; the arcs into token d have the numbers `first[d]` … `first[d + 1] − 1`, by head.
 * Improbable ones are left out.
 */
export interface ProbableArcs {
  readonly first: Int32Array;
  readonly heads: Int32Array;
  readonly labels: readonly string[];
  readonly probabilities: Float64Array;
}

/** One of the best trees of a sentence. */
export interface RankedParse extends Parse {
  /** Probability that the whole tree is right; absent: not known. */
  readonly probability?: number | undefined;
}

/** The tree that the parser chooses, then the others, the most probable first. */
export function byProbability<Ranked extends Pick<RankedParse, 'probability'>>(
  trees: Iterable<Ranked>,
): Ranked[] {
  const [best, ...others] = trees;
  return [best, ...others.sort((a, b) => (b.probability ?? 0) - (a.probability ?? 0))];
}

export interface ParseOptions {
  /** Compute `confidences`, which takes extra time. */
  readonly confidence?: boolean | undefined;
  /** Return `arcs`, if available. */
  readonly arcs?: boolean | undefined;
}

const parseFields = ['confidence', 'arcs'] as const satisfies readonly (keyof ParseOptions)[];

/** Throws `UsageError` for a misspelt option of `parse` and `parseAll`; `others`: options besides `ParseOptions`. */
export function checkParsing(options: ParseOptions, others: readonly string[] = []): void {
  checkFields('parse', options, [...parseFields, ...others]);
}

/** A tag or feature that did not occur in the training data. */
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
  /** The columns that it predicts in every sentence, and which need not be given; none if absent. */
  readonly writes?: readonly AnnotatedColumn[] | undefined;
  /** Number of guides' trees (`Sentence.guides`) that it needs; 0 if absent. */
  readonly guides?: number | undefined;
  /** The best tree; reads forms, lemmas, tags and features of the sentence, never its heads or labels. */
  parse(sentence: Sentence, options?: ParseOptions): Parse;
  /** The best tree of each sentence. With several models, each parses all sentences in turn, which suits the CPU cache. */
  parseAll(sentences: readonly Sentence[], options?: ParseOptions): Parse[];
  /**
   * The k best trees, or fewer if there are fewer. Absent, or `UsageError` where it depends on the options (higher
   * orders, greedy search): the parser finds the best tree only.
   */
  nBest?(sentence: Sentence, k: number): RankedParse[];
  /**
   * Explains the tree of a sentence by scores and search; absent: it cannot.
   * Throws `UsageError` for what cannot be explained, such as a token that does not exist.
   */
  explain?(sentence: Sentence, request?: ExplainRequest): ParseExplanation;
  /** By token (index 0: the root), the candidates for the columns that it fills, the chosen ones first. */
  alternatives?(sentence: Sentence): readonly (readonly ColumnAlternative[])[];
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

export function withParseAll<P extends Pick<ParserImplementation, 'parse' | 'parseAll'>>(parser: P) {
  const { parseAll = (sentences, options) => parseEach(parser, sentences, options) } = parser;
  return parser.parseAll === undefined
    ? Object.assign(parser, { parseAll })
    : (parser as P & Pick<Parser, 'parseAll'>);
}

/** A kind of parser that can be trained: command line, votes and reports use it through this interface alone. */
export interface Paradigm<Options = unknown> {
  readonly name: string;
  /** One line for `--help`. */
  readonly summary: string;
  /** Throws `OptionError`, as training does, for options that contradict each other; absent: training does. */
  checkOptions?(options: Options): void;
  /** Whether it learns from phrase-structure trees (`Sentence.phrases`) instead of dependencies. */
  readonly needsPhrases?: boolean | undefined;
  /** The schema of its options (types, ranges, defaults, help texts); it refuses unknown ones. */
  readonly options: z.ZodType<Options>;
  /** Defaults that are not in the schema, of options that may not change in further training. */
  readonly defaults?: Partial<Options> | undefined;
  /** The templates to choose from with the option `templates`, if its features come from templates. */
  readonly templates?: TemplateChooser<Options> | undefined;
  /** Whether it can use other parsers' trees as features (`Sentence.guides`). */
  readonly takesGuides?: boolean | undefined;
  /** Whether it has the options of word vectors and language models (`inputOptions`). */
  readonly takesVectors?: boolean | undefined;
  /** Whether training with these options can use `TrainingRun.silver`; absent: never. */
  takesSilver?(options: Options): boolean;
  /** Options that may change in further training of a model (`TrainingRun.from`); absent: there is no further training. */
  readonly furtherOptions?: readonly string[] | undefined;
  /**
   * The columns for which a pipeline needs no tagger if a parser with these options predicts them; absent: none. Grammars
   * have none: a tagger's XPOS is better than the tags in their trees.
   */
  writes?(options: Options): readonly AnnotatedColumn[];
  /** Whether training with these options saves its state, so that it can be resumed; absent: never. */
  keepsState?(options: Options): boolean;
  /** Whether training with these options needs held-out data (early stopping, choosing an epoch); absent: never. */
  needsHeldOut?(options: Options): boolean;
  /**
   * Trains a parser. The same treebank, options and seed give the same parser, byte for byte. Held-out data that is not
   * scored after each epoch is scored by the caller at the end.
   */
  train(treebank: Treebank, options: Options, run: TrainingRun): Promise<ParserImplementation>;
  /** Opens a trained parser; throws `InputError` if the model is of another paradigm. */
  load(model: ModelReader): ParserImplementation;
  /** For linear models: trains the members of a Bayes Point Machine and averages them. */
  readonly linear?: LinearTraining<Options, Parser> | undefined;
}

/** The columns that any of the parsers reads, each with the largest share of training tokens that had a value. */
export function jointlyRead(parsers: readonly Pick<Parser, 'reads' | 'filled'>[]) {
  const reads = [...new Set(parsers.flatMap((parser) => parser.reads))];
  const shares = (column: AnnotatedColumn) =>
    parsers.filter((parser) => parser.reads.includes(column)).map(({ filled }) => filled?.[column] ?? 1);
  const filled = Object.fromEntries(reads.map((column) => [column, Math.max(...shares(column))]));
  return { reads, filled };
}

/** The unseen values of several parses of a sentence, each once. */
export function jointlyUnseen(parses: readonly Parse[]): UnseenValue[] | undefined {
  const all = parses.flatMap(({ unseen = [] }) => unseen);
  if (all.length === 0) return undefined;
  return [...new Map(all.map((one) => [`${one.column} ${one.token}`, one])).values()];
}

/** Heads and labels as numbers; the arrays may be longer than the sentence. */
export type EncodedTree = { readonly heads: Int32Array; readonly labels: Int32Array };

/** The tree that the search built, and the parse: they differ where the arcs of a pseudo-projective parser were lowered. */
export interface BuiltTree extends DependencyTree {
  readonly parse: Parse;
  readonly encoded: EncodedSentence;
}

/** Base class of parsers over encoded sentences: encodes sentences, and decodes the trees that subclasses find. */
export abstract class EncodedParser implements Parser {
  abstract readonly paradigm: string;
  readonly reads: readonly AnnotatedColumn[];
  readonly filled: Readonly<Partial<Record<AnnotatedColumn, number>>>;
  readonly writes?: readonly MorphologyColumn[] | undefined;
  /** The columns with a closed set of values: unseen ones suggest another kind of data. */
  private readonly closed: readonly { readonly column: AnnotatedColumn; readonly number: number }[];
  /** Undoes the lifting of pseudo-projective parsers. */
  private readonly lowering: Lowering | undefined;
  private readonly labelNumber: (label: string) => number;
  calibration?: Calibration | undefined;
  /** The tree last found, whose arrays are reused from sentence to sentence. */
  private tree = { heads: new Int32Array(0), labels: new Int32Array(0) };

  /** @param maxLength longer sentences are parsed in chunks of this length */
  constructor(
    protected readonly numbering: Numbering,
    columns: readonly EncodedColumn[],
    protected readonly maxLength: number,
    readonly guides = 0,
  ) {
    const { encoder, labels, lifting } = numbering;
    this.lowering = lifting && new Lowering(lifting, labels.length);
    const numbers = new Map(labels.map((label, number) => [label, number]));
    this.labelNumber = (label) => numbers.get(label) ?? -1;
    const read = columns
      .flatMap((name) => encoder.sourcesOf(name))
      .filter((name, c, names) => names.indexOf(name) === c && encoder.isFilled(name))
      .map((name) => encoder.names.indexOf(name))
      .flatMap((number) => {
        const column = encoder.fieldOf(number);
        return column === 'forms' ? [] : { column, number };
      });
    this.reads = [...new Set(read.map(({ column }) => column))];
    this.filled = Object.fromEntries(read.map(({ column, number }) => [column, encoder.filledShare(number)]));
    this.closed = read.filter(({ column }) => column !== 'lemmas');
  }

  parse(sentence: Sentence, options: ParseOptions = {}): Parse {
    checkParsing(options);
    const { confidence = false } = options;
    const { length } = sentence;
    const { maxLength, numbering } = this;
    const encoded = this.encode(sentence);
    const confidences = confidence ? new Float64Array(length + 1) : undefined;
    const tree = this.findTree(encoded, confidences);
    const labels: string[] = [''];
    for (let d = 1; d <= length; d++) labels.push(numbering.labels[tree.labels[d]]);
    const notices = length > maxLength ? [`${length} tokens, parsed in chunks of ${maxLength}`] : [];
    if (confidences !== undefined) this.calibration?.apply(confidences);
    const heads = tree.heads.slice(0, length + 1);
    const columns = this.columnsIn(encoded);
    return { heads, labels, confidences, notices, columns, unseen: this.unseenIn(encoded) };
  }

  parseAll(sentences: readonly Sentence[], options?: ParseOptions): Parse[] {
    return parseEach(this, sentences, options);
  }

  /** Converts the trees that a k-best search found, with labels as numbers, to parses. */
  protected ranked(
    sentence: EncodedSentence,
    trees: readonly (EncodedTree & { readonly probability: number })[],
  ): RankedParse[] {
    const { length } = sentence;
    const unseen = this.unseenIn(sentence);
    const columns = this.columnsIn(sentence);
    const raw = trees.map(({ probability }) => probability);
    const probabilities = this.calibration?.ofTrees(raw) ?? raw;
    return trees.map(({ heads, labels }, t) => {
      const tree = { heads: heads.slice(0, length + 1), labels: labels.slice(0, length + 1) };
      this.lowering?.lower(tree, length);
      const names = Array.from(tree.labels, (label, d) => (d === 0 ? '' : this.numbering.labels[label]));
      return {
        heads: tree.heads,
        labels: names,
        probability: probabilities[t],
        notices: [],
        columns,
        unseen,
      };
    });
  }

  /** The columns that the parser fills, which the search wrote into the encoded sentence. */
  private columnsIn(sentence: EncodedSentence): FilledColumns | undefined {
    if (this.writes === undefined) return undefined;
    const { encoder } = this.numbering;
    const filled = this.writes.map((column) => {
      const place = encoder.names.indexOf(column);
      const strings = encoder.vocabulary(place).strings();
      const found = (t: number) => strings[valueAt(sentence, place, t) - FIRST_ID];
      return [column, Array.from({ length: sentence.length + 1 }, (_, t) => (t === 0 ? '' : found(t)))];
    });
    return Object.fromEntries(filled) as FilledColumns;
  }

  protected built(sentence: Sentence): BuiltTree {
    const parse = this.parse(sentence);
    const encoded = this.encode(sentence);
    if (this.lowering === undefined) return { heads: parse.heads, labels: parse.labels, parse, encoded };
    const { heads, labels } = this.buildTree(encoded);
    const names = Array.from(parse.labels, (_, d) => (d === 0 ? '' : this.numbering.labels[labels[d]]));
    return { heads: heads.slice(0, sentence.length + 1), labels: names, parse, encoded };
  }

  protected encode(sentence: Sentence): EncodedSentence {
    const { guides = [] } = sentence;
    if (guides.length !== this.guides) {
      throw new UsageError(`a sentence with the trees of ${guides.length} guides, expected ${this.guides}`);
    }
    const encoded = this.numbering.encoder.encode(sentence);
    if (this.guides === 0) return encoded;
    return { ...encoded, guides: guides.map((guide) => encodeGuide(guide, this.labelNumber)) };
  }

  private unseenIn(sentence: EncodedSentence): UnseenValue[] | undefined {
    const unseen: UnseenValue[] = [];
    for (const { column, number } of this.closed) {
      for (let token = 1; token <= sentence.length; token++)
        if (valueAt(sentence, number, token) === UNKNOWN) unseen.push({ column, token });
    }
    return unseen.length === 0 ? undefined : unseen;
  }

  /** Finds the best tree, valid until the next call. Fills `confidences`, uncalibrated, from entry 1 on. */
  findTree(sentence: EncodedSentence, confidences?: Float64Array): EncodedTree {
    const tree = this.buildTree(sentence, confidences);
    this.lowering?.lower(tree, sentence.length);
    return tree;
  }

  /** Finds the best tree; a pseudo-projective parser leaves the arcs lifted. */
  private buildTree(sentence: EncodedSentence, confidences?: Float64Array): EncodedTree {
    const { length } = sentence;
    if (this.tree.heads.length <= length)
      this.tree = { heads: new Int32Array(2 * length + 1), labels: new Int32Array(2 * length + 1) };
    this.fillTree(sentence, this.tree, confidences);
    return this.tree;
  }

  protected abstract fillTree(sentence: EncodedSentence, tree: EncodedTree, confidences?: Float64Array): void;

  abstract save(model: ModelWriter): void;
}
