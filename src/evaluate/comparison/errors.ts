import { numberIn } from '../../number-in.ts';
import { detached } from '../../platform/platform.ts';
import type { DependencyTree, Sentence } from '../../treebank/sentence.ts';
import { ELSEWHERE, NOT_THERE } from '../alignment/counterpart.ts';
import { tagOf } from '../breakdowns/buckets.ts';
import { type ComparedSentence, isRight } from '../compared-sentence.ts';
import { GrowingCounts } from '../growing-counts.ts';
import type { ArcKind, ErrorAnalysis, ErrorCounts, TokenPlace } from './comparison.ts';

/** Counts errors by kind: confused labels (Nilsson & Nivre 2008), wrong arcs, and wrong words (`eval.pl`'s focus words). */
export class ErrorKinds {
  private readonly confusions: KindCounts<{ gold: string; predicted: string }>;
  private readonly arcs: KindCounts<{ tag: string; gold: ArcKind; predicted: ArcKind }>;
  private readonly words: KindCounts<{ form: string; tag: string }>;
  private readonly frequencies = new Map<string, number>();
  private sentences = 0;

  constructor(
    private readonly parsers: number,
    private readonly labelled: boolean,
  ) {
    this.confusions = new KindCounts(parsers);
    this.arcs = new KindCounts(parsers);
    this.words = new KindCounts(parsers);
  }

  add(sentence: ComparedSentence): void {
    this.sentences++;
    const { gold, scored } = sentence;
    for (let d = 1; d <= gold.length; d++) {
      if (scored[d] === 0) continue;
      const key = wordKey(wordOf(gold, d));
      const times = this.frequencies.get(key);
      this.frequencies.set(times === undefined ? detached(key) : key, (times ?? 0) + 1);
      for (let parser = 0; parser < this.parsers; parser++) this.addToken(sentence, parser, d);
    }
  }

  private addToken({ gold, trees }: ComparedSentence, parser: number, d: number): void {
    const { labelled, sentences: number } = this;
    const tree = trees[parser];
    if (isRight(gold, tree, d, labelled)) return;
    const tag = (h: number) => tagOf(gold, h);
    const predicted = arcKind(tree, d, tag, labelled);
    const right = arcKind(gold, d, tag, labelled);
    if (predicted.head !== 'missing' && right.label !== predicted.label)
      this.confusions.add({ gold: right.label, predicted: predicted.label }, parser, number, d);
    this.arcs.add({ tag: tagOf(gold, d), gold: right, predicted }, parser, number, d);
    this.words.add(wordOf(gold, d), parser, number, d);
  }

  analysis(limit?: number): ErrorAnalysis {
    return {
      labelConfusions: this.confusions.top(limit),
      wrongArcs: this.arcs.top(limit),
      words: this.words.top(limit).map((word) => ({ ...word, tokens: this.frequencies.get(wordKey(word))! })),
    };
  }
}

const wordOf = (gold: Sentence, d: number) => ({ form: gold.forms[d].toLowerCase(), tag: tagOf(gold, d) });
const wordKey = ({ form, tag }: { readonly form: string; readonly tag: string }): string => `${form}\t${tag}`;
const EXAMPLES = 3;

/** Counts errors by kind and parser, in flat arrays, as there may be hundreds of thousands of kinds. */
class KindCounts<Kind extends object> {
  private readonly numbers = new Map<string, number>();
  /** kinds × parsers: number of errors. */
  private readonly counts = new GrowingCounts();
  /** kinds × parsers × EXAMPLES × 2: sentence and token. */
  private readonly places = new GrowingCounts();

  constructor(private readonly parsers: number) {}

  add(kind: Kind, parser: number, sentence: number, token: number): void {
    const cell = this.numberOf(JSON.stringify(kind)) * this.parsers + parser;
    const example = this.counts.values[cell]++;
    if (example >= EXAMPLES) return;
    const place = 2 * (cell * EXAMPLES + example);
    this.places.values[place] = sentence;
    this.places.values[place + 1] = token;
  }

  private numberOf(key: string): number {
    const number = numberIn(this.numbers, key);
    this.counts.lengthen((number + 1) * this.parsers);
    this.places.lengthen(2 * EXAMPLES * (number + 1) * this.parsers);
    return number;
  }

  /** The kinds that are most frequent over all parsers; ties in the order of their JSON. */
  top(limit = Number.POSITIVE_INFINITY): (Kind & ErrorCounts)[] {
    const counts = this.counts.values;
    const total = (number: number) => {
      const first = number * this.parsers;
      return counts.subarray(first, first + this.parsers).reduce((a, b) => a + b, 0);
    };
    return Array.from(this.numbers, ([key, number]) => ({ key, number, total: total(number) }))
      .sort((x, y) => y.total - x.total || (x.key < y.key ? -1 : 1))
      .slice(0, limit)
      .map(({ key, number }) => ({ ...(JSON.parse(key) as Kind), ...this.errorCounts(number) }));
  }

  private errorCounts(number: number): ErrorCounts {
    const cells = Array.from({ length: this.parsers }, (_, parser) => number * this.parsers + parser);
    return {
      counts: cells.map((cell) => this.counts.values[cell]),
      examples: cells.map((cell) => this.examples(cell)),
    };
  }

  private examples(cell: number): TokenPlace[] {
    return Array.from({ length: Math.min(EXAMPLES, this.counts.values[cell]) }, (_, i) => {
      const place = 2 * (cell * EXAMPLES + i);
      return { sentence: this.places.values[place], token: this.places.values[place + 1] };
    });
  }
}

/** The kind of the arc into word d; `tagOf` returns gold tags, `labelled` is whether gold has labels. */
export function arcKind(
  { heads, labels }: DependencyTree,
  d: number,
  tagOf: (d: number) => string,
  labelled: boolean,
): ArcKind {
  const label = labelled ? labels[d] : '_';
  const h = heads[d];
  if (h === 0) return { label, head: 'root' };
  if (h === NOT_THERE) return { label: '', head: 'missing' };
  if (h === ELSEWHERE) return { label, head: 'elsewhere' };
  return { label, head: h < d ? 'left' : 'right', headTag: tagOf(h) };
}
