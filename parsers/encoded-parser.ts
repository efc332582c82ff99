import { type EncodedColumn, type EncodedSentence, valueAt } from '../src/encoding/columns.ts';
import { encodeGuide } from '../src/encoding/guides.ts';
import { Lowering } from '../src/encoding/lifted-labels.ts';
import type { Numbering } from '../src/encoding/numbering.ts';
import { UNKNOWN } from '../src/encoding/vocabulary.ts';
import { UsageError } from '../src/errors.ts';
import type { Calibration } from '../src/learn/calibration.ts';
import type { ModelWriter } from '../src/model/model-writer.ts';
import type { AnnotatedColumn } from '../src/treebank/columns/names.ts';
import type { DependencyTree, Sentence } from '../src/treebank/sentence.ts';
import {
  type Parse,
  type ParseOptions,
  type Parser,
  parseEach,
  type RankedParse,
  type UnseenValue,
} from './parser.ts';

/** Heads and labels as numbers; the arrays may be longer than the sentence. */
export interface EncodedTree {
  readonly heads: Int32Array;
  readonly labels: Int32Array;
}

/** The tree as it was built, and the answer: they differ where lifted arcs are put back. */
export interface BuiltTree extends DependencyTree {
  readonly parse: Parse;
  readonly encoded: EncodedSentence;
}

/** Turns sentences into numbers, and trees of numbers into answers, for the parsers that extend it. */
export abstract class EncodedParser implements Parser {
  abstract readonly paradigm: string;
  readonly reads: readonly AnnotatedColumn[];
  readonly filled: Readonly<Partial<Record<AnnotatedColumn, number>>>;
  /** The columns with a closed set of values: unseen ones suggest another kind of data. */
  private readonly closed: readonly { readonly column: AnnotatedColumn; readonly number: number }[];
  /** Puts back arcs that were lifted to make the training trees projective. */
  private readonly lowering: Lowering | undefined;
  private readonly labelNumber: (label: string) => number;
  calibration?: Calibration | undefined;
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

  parse(sentence: Sentence, { confidence = false }: ParseOptions = {}): Parse {
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
    return { heads, labels, confidences, notices, unseen: this.unseenIn(encoded) };
  }

  parseAll(sentences: readonly Sentence[], options?: ParseOptions): Parse[] {
    return parseEach(this, sentences, options);
  }

  /** Trees that a search found for the sentence, as answers; `labels` as numbers. */
  protected ranked(
    sentence: EncodedSentence,
    trees: readonly (EncodedTree & { readonly probability: number })[],
  ): RankedParse[] {
    const { length } = sentence;
    const unseen = this.unseenIn(sentence);
    return trees.map(({ heads, labels, probability }) => {
      const tree = { heads: heads.slice(0, length + 1), labels: labels.slice(0, length + 1) };
      this.lowering?.lower(tree, length);
      const names = Array.from(tree.labels, (label, d) => (d === 0 ? '' : this.numbering.labels[label]));
      return { heads: tree.heads, labels: names, probability, notices: [], unseen };
    });
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
    const { encoder } = this.numbering;
    const { guides = [] } = sentence;
    if (guides.length !== this.guides) {
      throw new UsageError(
        `a sentence with trees of ${guides.length} other parsers, expected ${this.guides}`,
      );
    }
    const encoded = encoder.encode(sentence);
    if (this.guides === 0) return encoded;
    return { ...encoded, guides: guides.map((guide) => encodeGuide(guide, this.labelNumber)) };
  }

  private unseenIn(sentence: EncodedSentence): UnseenValue[] | undefined {
    const unseen: UnseenValue[] = [];
    for (const { column, number } of this.closed) {
      for (let token = 1; token <= sentence.length; token++) {
        if (valueAt(sentence, number, token) === UNKNOWN) unseen.push({ column, token });
      }
    }
    return unseen.length === 0 ? undefined : unseen;
  }

  /** The best tree; valid until the next call. Fills `confidences` from entry 1 on, not calibrated. */
  findTree(sentence: EncodedSentence, confidences?: Float64Array): EncodedTree {
    const tree = this.buildTree(sentence, confidences);
    this.lowering?.lower(tree, sentence.length);
    return tree;
  }

  /** The best tree as the search builds it: lifted arcs are not yet put back. */
  protected abstract buildTree(sentence: EncodedSentence, confidences?: Float64Array): EncodedTree;

  abstract save(model: ModelWriter): void;

  protected roomFor(length: number): EncodedTree {
    if (this.tree.heads.length <= length) {
      this.tree = { heads: new Int32Array(2 * length + 1), labels: new Int32Array(2 * length + 1) };
    }
    return this.tree;
  }
}
