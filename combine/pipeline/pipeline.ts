import type { ColumnAnnotator, TextLayout, Tokenizer } from '../../annotators/annotator.ts';
import { confidencesOfColumns } from '../../annotators/registry.ts';
import { withRanges } from '../../annotators/token-ranges.ts';
import { checkParsing, type Parse, type ParseOptions, type Parser } from '../../parsers/parser.ts';
import type { SentenceParser } from '../../parsers/run/batch-parser.ts';
import { type ParseCallbacks, reportParses } from '../../parsers/run/column-check.ts';
import { checkFields, checkNames, textProblem } from '../../src/checks.ts';
import { UsageError } from '../../src/errors.ts';
import type { PipelineExplanation } from '../../src/explain/explanation.ts';
import { type ExplainRequest, explainedSentenceOf } from '../../src/explain/request.ts';
import type { Confidences } from '../../src/treebank/columns/confidence.ts';
import { kindsIn, withConfidences, withoutConfidences } from '../../src/treebank/columns/confidence.ts';
import type { AnnotatedColumn } from '../../src/treebank/columns/names.ts';
import { annotatedColumns, morphologyColumns } from '../../src/treebank/columns/names.ts';
import { type FilledColumns, formatSentence } from '../../src/treebank/columns/write.ts';
import { withForms } from '../../src/treebank/phrases/phrase-tree.ts';
import type { DependencyTree, Sentence } from '../../src/treebank/sentence.ts';
import { type KeepName, keepNames } from '../names.ts';
import { Ensemble } from '../vote/ensemble.ts';
import { Vote, type VoteOptions, voteFields } from '../vote/vote.ts';
import { paradigmWeighting, type Weighting } from '../vote/weights/weighting.ts';
import { isParserPart, type PipelinePart, sortedParts } from './pipeline-part.ts';

export interface PipelineVote extends VoteOptions {
  readonly weighting: Weighting;
}

export interface PipelineParseOptions extends ParseOptions, ParseCallbacks {
  /** Write the character offsets of each token in the text into MISC. */
  readonly offsets?: boolean | undefined;
}

/** A vote whose weighting may be left to the pipeline. */
export type PartialVote = VoteOptions & { readonly weighting?: Weighting | undefined };

/** The steps of a pipeline to run; default: all. */
export interface PipelineSteps {
  /** Tags, features and lemmas. */
  readonly columns?: boolean | undefined;
  readonly trees?: boolean | undefined;
}

/**
 * A pipeline from text to trees: a tokenizer, annotators that fill columns, and a parser, or several that vote; each is
 * optional. Not to be shared between threads.
 */
export class Pipeline {
  /** All parts, in the order in which they run. */
  readonly parts: readonly PipelinePart[];
  readonly tokenizer: Tokenizer | undefined;
  /** Annotators that fill columns, each after those whose columns it reads. */
  readonly annotators: readonly ColumnAnnotator[];
  readonly parser: Parser | Ensemble | undefined;
  readonly vote: PipelineVote | undefined;

  /**
   * @param vote how several parsers vote; default weighting: by paradigm
   * @throws UsageError for fewer than two parts, two with the same task, or too many parsers
   */
  constructor(parts: readonly PipelinePart[], vote: PartialVote = {}) {
    checkFields<keyof PartialVote>('Pipeline', vote, ['weighting', ...voteFields]);
    if (parts.length < 2) throw new UsageError('a pipeline has at least two models');
    const { tokenizer, annotators, parsers } = sortedParts(parts);
    this.parts = [...(tokenizer === undefined ? [] : [tokenizer]), ...annotators, ...parsers];
    this.tokenizer = tokenizer?.model;
    this.annotators = annotators.map(({ model }) => model);
    const models = parsers.map(({ model }) => model);
    if (models.length > 1) {
      const { weighting = paradigmWeighting(models.map(({ paradigm }) => paradigm)), ...options } = vote;
      this.vote = { ...options, weighting };
      this.parser = new Ensemble(models, new Vote(weighting, options));
    } else {
      this.parser = models[0];
    }
  }

  get parsers(): readonly PipelinePart<Parser>[] {
    return this.parts.filter(isParserPart);
  }

  /**
   * Parses a text: returns its sentences with columns, heads and labels. Written with `formatSentence`, they give the same
   * output as parsing a file of that text.
   *
   * @param layout the layout of the text; default: running text
   * @param options `confidence` writes the confidences of each part into MISC
   * @throws UsageError if there is no tokenizer, or the text has a NUL character or half of a surrogate pair
   */
  parse(
    text: string,
    layout: TextLayout = 'text',
    { offsets, onNotice, onWarning, ...options }: PipelineParseOptions = {},
  ): Sentence[] {
    checkParsing(options, ['offsets', 'onNotice', 'onWarning']);
    if (this.tokenizer === undefined)
      throw new UsageError('the pipeline has no tokenizer: it cannot read text');
    const problem = typeof text === 'string' ? textProblem(text) : `${typeof text}: expected text`;
    if (problem !== undefined) throw new UsageError(problem);
    const tokenizer = offsets ? withRanges(this.tokenizer) : this.tokenizer;
    const stream = tokenizer.open(layout, undefined, { confidence: options.confidence });
    // A byte-order mark is no part of the text, as in files.
    const cut = [...stream.push(text.replace(/^\ufeff/, '')), ...stream.end()];
    const parser = this.sentenceParser();
    const parses = parser.parseAll(cut, options);
    reportParses(parser, cut, parses, { onNotice, onWarning });
    return cut.map((sentence, i) => completed(sentence, parses[i]));
  }

  /** Annotates and parses a sentence; `keep` names columns of the input to keep. */
  complete(sentence: Sentence, keep: readonly KeepName[] = []): Sentence {
    return completed(sentence, this.sentenceParser(keep).parse(sentence));
  }

  /** Explains a sentence: the columns that the pipeline fills, and how its parser or vote finds the tree. */
  explain(
    sentence: Sentence,
    request: ExplainRequest = {},
    keep: readonly KeepName[] = [],
  ): PipelineExplanation {
    const annotation = this.annotation(keep);
    const normalized = this.normalized(sentence);
    const before = annotation.columns(normalized);
    const read = { ...normalized, ...before };
    const parser = this.parser?.explain?.(read, request) as PipelineExplanation['parser'];
    const columns = annotation.completed(
      normalized,
      before,
      annotation.isCompletedByParser ? this.parser!.parse(read) : {},
    );
    const annotated = { ...sentence, ...columns };
    const { tree, notices } = parser ?? { tree: sentence, notices: [] };
    const filled = Object.entries(columns).map(([name, values]) => [name, [...values]]);
    return {
      paradigm: 'pipeline',
      ...explainedSentenceOf(annotated, { ...treeOf(tree), notices }, request),
      parts: this.parts.map(({ model }) => ('task' in model ? model.task : model.paradigm)),
      columns: Object.fromEntries(filled),
      ...this.alternatives(read, Object.keys(columns)),
      ...(parser === undefined ? {} : { parser }),
    };
  }

  private alternatives(sentence: Sentence, filled: readonly string[]) {
    const annotators = [...this.annotators, ...(this.parser instanceof Ensemble ? [] : [this.parser])];
    const tagger = annotators.find((one) => one?.alternatives !== undefined && one.writes !== undefined);
    if (!tagger?.writes?.some((column) => filled.includes(column))) return {};
    const found = tagger.alternatives!(sentence);
    return {
      alternatives: found.map((all) => all.map(({ columns, score }) => ({ columns: { ...columns }, score }))),
    };
  }

  /** The pipeline without its tokenizer, as a parser of sentences; `keep` names columns of the input to keep. */
  sentenceParser(
    keep: readonly KeepName[] = [],
    { columns = true, trees = true }: PipelineSteps = {},
  ): SentenceParser {
    const annotation = columns ? this.annotation(keep) : new SentenceAnnotation([]);
    const parser = trees || annotation.isCompletedByParser ? this.parser : undefined;
    const { reads = [], filled } = parser ?? {};
    const writes = columns ? annotatedColumns.filter((column) => this.fills(column)) : [];
    const parseAll = (sentences: readonly Sentence[], options: ParseOptions = {}) => {
      checkParsing(options);
      const found = this.parseAll(sentences, annotation, parser, options);
      return trees ? found : found.map((parse, i) => ({ ...parse, ...unparsed(sentences[i]) }));
    };
    return {
      // Columns that are filled need not be in the input.
      reads: reads.filter((column) => !writes.includes(column)),
      filled,
      writes,
      parse: (sentence, options) => parseAll([sentence], options)[0],
      parseAll,
      ...this.ranking(parser, annotation),
    };
  }

  fills(column: AnnotatedColumn): boolean {
    return (
      this.annotators.some(({ writes }) => writes.includes(column)) || this.tagging.writes.includes(column)
    );
  }

  private annotation(keep: readonly KeepName[] = []): SentenceAnnotation {
    return new SentenceAnnotation(this.annotators, keep, this.tagging);
  }

  /** The columns that the parser reads and fills; tags predicted by parsers that vote are not used. */
  private get tagging(): Tagging {
    const { parser } = this;
    return {
      reads: parser?.reads ?? [],
      writes: (parser instanceof Ensemble ? undefined : parser?.writes) ?? [],
    };
  }

  private parseAll(
    sentences: readonly Sentence[],
    annotation: SentenceAnnotation,
    parser: Pipeline['parser'],
    options?: ParseOptions,
  ): Parse[] {
    const read = sentences.map((sentence) => this.normalized(sentence));
    const all = annotation.allColumns(read);
    const annotated = read.map((sentence, i) => ({ ...sentence, ...all[i] }));
    // Without a parser, trees stay as they are.
    const trees: Parse[] = parser?.parseAll(annotated, options) ?? read.map(unparsed);
    return read.map((sentence, i) => {
      const columns = annotation.completed(sentence, all[i], trees[i]);
      const ofAnnotators = () => annotation.confidences(sentence, { ...sentence, ...columns });
      const columnConfidences = options?.confidence
        ? { ...annotation.confidencesOfParser(sentence, trees[i]), ...ofAnnotators() }
        : undefined;
      return { ...asWritten(trees[i], sentences[i], sentence), columns, columnConfidences };
    });
  }

  /** The sentence as its models read it (see `TextNormalization`). */
  private normalized(sentence: Sentence): Sentence {
    return this.tokenizer?.normalization?.sentence(sentence) ?? sentence;
  }

  /** The best trees of annotated sentences, if the parser finds more than one. */
  private ranking(parser: Pipeline['parser'], annotation: SentenceAnnotation): Pick<SentenceParser, 'nBest'> {
    if (parser === undefined || !('nBest' in parser) || parser.nBest === undefined) return {};
    return {
      nBest: (sentence, k) => {
        const read = this.normalized(sentence);
        const columns = annotation.columns(read);
        return parser.nBest!({ ...read, ...columns }, k).map((parse) => {
          return { ...asWritten(parse, sentence, read), columns: annotation.completed(read, columns, parse) };
        });
      },
    };
  }
}

const unparsed = ({ heads, labels }: Sentence) => ({ heads, labels, notices: [] });

type Tagging = Pick<ColumnAnnotator, 'reads' | 'writes'>;

/** A parse whose phrases have the words as they are written; `read`: the sentence as its models read it. */
function asWritten(parse: Parse, written: Sentence, read: Sentence): Parse {
  if (read === written || parse.phrases === undefined) return parse;
  return { ...parse, phrases: withForms(parse.phrases, written.forms) };
}

function treeOf({ heads, labels }: { heads: ArrayLike<number>; labels: readonly string[] }): DependencyTree {
  return { heads: Int32Array.from(heads), labels };
}

/** A sentence with the columns and the tree of its parse; the text of its source has them, too. */
export function completed(sentence: Sentence, parse: Parse): Sentence {
  const { columns, heads, labels, confidences: arcs, columnConfidences, phrases = sentence.phrases } = parse;
  const others = withoutConfidences(sentence.misc, ['arcs', ...kindsIn(columns ?? {})]);
  const misc = withConfidences(others, { ...columnConfidences, ...(arcs && { arcs }) });
  const found = { ...sentence, ...columns, heads, labels, phrases, misc };
  const { source } = sentence;
  if (source === undefined || source.format === 'brackets') return found;
  const text = formatSentence(found, source.format, { heads, labels, misc });
  return { ...found, source: { ...source, text } };
}

const columnsOf: Readonly<Record<KeepName, readonly AnnotatedColumn[]>> = {
  tags: morphologyColumns,
  lemmas: ['lemmas'],
};

/**
 * Fills the columns of sentences by annotators; each sees the columns that earlier ones filled. Annotators that read
 * columns filled by the parser run after it.
 *
 * Later annotators also see annotation of the input that is kept: the lemmatizer reads kept tags. Where the input has `_`,
 * the prediction is used, except that `_` in FEATS means “no features” if other words of the sentence have some.
 */
class SentenceAnnotation {
  private readonly kept: ReadonlySet<AnnotatedColumn>;
  /** The columns that the parser fills: those that no annotator fills. */
  private readonly ofParser: readonly AnnotatedColumn[];
  private readonly first: readonly ColumnAnnotator[];
  private readonly last: readonly ColumnAnnotator[];

  constructor(
    private readonly annotators: readonly ColumnAnnotator[],
    keep: readonly KeepName[] = [],
    parser: Tagging = { reads: [], writes: [] },
  ) {
    checkNames('keep', keep, keepNames);
    this.kept = new Set(keep.flatMap((name) => columnsOf[name]));
    this.ofParser = parser.writes.filter(
      (column) => !annotators.some(({ writes }) => writes.includes(column)),
    );
    const follows = ({ reads, writes }: ColumnAnnotator) =>
      reads.some((column) => this.ofParser.includes(column)) &&
      !writes.some((column) => parser.reads.includes(column));
    this.last = annotators.filter(follows);
    this.first = annotators.filter((annotator) => !follows(annotator));
  }

  /** Whether the parser fills columns, too. */
  get isCompletedByParser(): boolean {
    return this.ofParser.length > 0;
  }

  columns(sentence: Sentence): FilledColumns {
    return this.allColumns([sentence])[0];
  }

  /** The columns that annotators fill before the parser runs. */
  allColumns(sentences: readonly Sentence[]): FilledColumns[] {
    const all: FilledColumns[] = sentences.map(() => ({}));
    for (const annotator of this.first)
      for (const [i, sentence] of sentences.entries()) all[i] = this.filledBy(annotator, sentence, all[i]);
    return all;
  }

  /** Adds the columns that the parser fills, and the columns of the annotators that run after it. */
  completed(
    sentence: Sentence,
    columns: FilledColumns,
    { columns: found = {} }: Pick<Parse, 'columns'>,
  ): FilledColumns {
    const own = Object.fromEntries(this.ofParser.map((column) => [column, found[column]]));
    return this.last.reduce<FilledColumns>((all, annotator) => this.filledBy(annotator, sentence, all), {
      ...columns,
      ...this.merged(sentence, own),
    });
  }

  private filledBy(annotator: ColumnAnnotator, sentence: Sentence, columns: FilledColumns): FilledColumns {
    const found = annotator.annotate({ ...sentence, ...columns }, this.kept);
    return { ...columns, ...this.merged(sentence, found) };
  }

  /** Confidences of the annotators' predictions; 1 for annotation that is kept. */
  confidences(sentence: Sentence, annotated: Sentence): Confidences {
    const all: Record<string, Float64Array> = {};
    for (const annotator of this.annotators) {
      const found = confidencesOfColumns(annotator, annotated);
      Object.assign(all, this.withKept(sentence, annotator.writes[0], found));
    }
    return all;
  }

  confidencesOfParser(sentence: Sentence, { columnConfidences = {} }: Parse): Confidences {
    return this.isCompletedByParser ? this.withKept(sentence, this.ofParser[0], columnConfidences) : {};
  }

  private withKept(sentence: Sentence, column: AnnotatedColumn, found: Confidences): Confidences {
    for (const figures of this.kept.has(column) ? Object.values(found) : [])
      for (let d = 1; d <= sentence.length; d++) if (sentence[column][d] !== '_') figures[d] = 1;
    return found;
  }

  /** The predicted columns, merged with those that are kept. */
  private merged(sentence: Sentence, found: FilledColumns): FilledColumns {
    if (this.kept.size === 0) return found;
    const names = Object.keys(found) as AnnotatedColumn[];
    const valuesOf = (name: AnnotatedColumn) =>
      this.kept.has(name) ? mergedColumn(sentence, name, found[name]!) : found[name];
    return Object.fromEntries(names.map((name) => [name, valuesOf(name)]));
  }
}

function mergedColumn(sentence: Sentence, name: AnnotatedColumn, found: readonly string[]) {
  const own = sentence[name];
  if (name === 'feats' && own.some((value, d) => d > 0 && value !== '_')) return own;
  return own.map((value, d) => (value === '_' ? found[d] : value));
}
