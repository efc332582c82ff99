import type { Sentence } from './sentence.ts';
import { headsFirst, nonProjectiveArcs, roots } from './tree.ts';

/** Counts over a treebank. Percentages are from 0 to 100, unrounded. */
export interface TreebankStatistics {
  readonly sentences: number;
  readonly tokens: number;
  readonly length: Readonly<Record<'min' | 'median' | 'mean' | 'max', number>>;
  /** Number of different forms, as written; likewise below. */
  readonly forms: number;
  readonly lemmas: number;
  /** Different single features (`Case=Acc`), and different values of the FEATS column. */
  readonly features: number;
  readonly featureCombinations: number;
  /** Tokens whose form is not among the known forms; absent if none were given. */
  readonly unknownForms?: Share;
  /** Values by falling frequency, then by code point. */
  readonly upos: readonly ValueCount[];
  readonly xpos: readonly ValueCount[];
  readonly labels: readonly ValueCount[];
  /** Tokens without a head. All figures below leave out sentences with such a token. */
  readonly withoutHead: Share;
  /** Share of tokens. */
  readonly nonProjectiveArcs: Share;
  /** Share of sentences. */
  readonly nonProjectiveSentences: Share;
  readonly severalRoots: Share;
  /** Mean number of arcs from a token up to the artificial root. */
  readonly meanDepth: number;
  /** Arcs between tokens, without those from the artificial root. */
  readonly arcs: {
    readonly count: number;
    /** Mean of |head − dependent|. */
    readonly meanLength: number;
    /** Percentage with the head to the left of the dependent. */
    readonly headLeft: number;
  };
}

export type ValueCount = { readonly value: string; readonly count: number };
export type Share = { readonly count: number; readonly percent: number };

/** Computes statistics in one pass. With `known` forms, for example of a training set, unknown ones are counted. */
export async function treebankStatistics(
  treebank: AsyncIterable<Sentence> | Iterable<Sentence>,
  known?: ReadonlySet<string>,
): Promise<TreebankStatistics> {
  const counts = new Counts(known);
  for await (const sentence of treebank) counts.add(sentence);
  return counts.summary();
}

const tallied = ['forms', 'lemmas', 'feats', 'upos', 'xpos', 'labels'] as const;
type Tallies = Readonly<Record<(typeof tallied)[number], Map<string, number>>>;

class Counts {
  private readonly lengths: number[] = [];
  private readonly tallies = tallied.map((name) => [name, new Map<string, number>()] as const);
  private withoutHead = 0;
  /** Number of sentences whose tokens all have heads, and of their tokens. */
  private trees = 0;
  private treeTokens = 0;
  private nonProjectiveArcs = 0;
  private nonProjectiveSentences = 0;
  private severalRoots = 0;
  private arcs = 0;
  private leftHeads = 0;
  private arcLength = 0;
  private depths = 0;
  private unknown = 0;

  constructor(private readonly known: ReadonlySet<string> | undefined) {}

  add(sentence: Sentence): void {
    const { heads } = sentence;
    this.lengths.push(sentence.length);
    for (const [name, counts] of this.tallies) tally(counts, sentence[name]);
    const { known } = this;
    if (known) for (let d = 1; d <= sentence.length; d++) if (!known.has(sentence.forms[d])) this.unknown++;
    const missing = heads.reduce((count, h, d) => count + (d > 0 && h < 0 ? 1 : 0), 0);
    this.withoutHead += missing;
    if (missing === 0) this.addTree(heads);
  }

  private addTree(heads: Int32Array): void {
    this.trees++;
    this.treeTokens += heads.length - 1;
    const crossing = nonProjectiveArcs(heads).length;
    this.nonProjectiveArcs += crossing;
    if (crossing > 0) this.nonProjectiveSentences++;
    if (roots(heads).length > 1) this.severalRoots++;
    const depth = new Int32Array(heads.length);
    for (const d of headsFirst(heads)) this.depths += depth[d] = depth[heads[d]] + 1;
    for (let d = 1; d < heads.length; d++) {
      const h = heads[d];
      if (h === 0) continue;
      this.arcs++;
      this.arcLength += Math.abs(h - d);
      if (h < d) this.leftHeads++;
    }
  }

  summary(): TreebankStatistics {
    const lengths = Int32Array.from(this.lengths).sort();
    const sentences = lengths.length;
    const tokens = lengths.reduce((sum, length) => sum + length, 0);
    const { forms, lemmas, feats, upos, xpos, labels } = Object.fromEntries(this.tallies) as Tallies;
    const withValue = (counts: ReadonlyMap<string, number>) =>
      [...counts.keys()].filter((value) => value !== '_');
    const combinations = withValue(feats);
    const half = sentences >> 1;
    const median =
      sentences % 2 === 1 ? lengths[half] : ((lengths[half - 1] ?? 0) + (lengths[half] ?? 0)) / 2;
    const [min, max] = [lengths[0] ?? 0, lengths.at(-1) ?? 0];
    return {
      sentences,
      tokens,
      length: { min, median, mean: ratio(tokens, sentences), max },
      forms: forms.size,
      lemmas: withValue(lemmas).length,
      features: new Set(combinations.flatMap((value) => value.split('|'))).size,
      featureCombinations: combinations.length,
      ...(this.known && { unknownForms: share(this.unknown, tokens) }),
      upos: byFrequency(upos),
      xpos: byFrequency(xpos),
      labels: byFrequency(labels),
      withoutHead: share(this.withoutHead, tokens),
      nonProjectiveArcs: share(this.nonProjectiveArcs, this.treeTokens),
      nonProjectiveSentences: share(this.nonProjectiveSentences, this.trees),
      severalRoots: share(this.severalRoots, this.trees),
      meanDepth: ratio(this.depths, this.treeTokens),
      arcs: {
        count: this.arcs,
        meanLength: ratio(this.arcLength, this.arcs),
        headLeft: ratio(100 * this.leftHeads, this.arcs),
      },
    };
  }
}

function tally(counts: Map<string, number>, column: readonly string[]): void {
  for (let d = 1; d < column.length; d++) counts.set(column[d], (counts.get(column[d]) ?? 0) + 1);
}

const byFrequency = (counts: ReadonlyMap<string, number>): ValueCount[] =>
  Array.from(counts, ([value, count]) => ({ value, count })).sort(
    (a, b) => b.count - a.count || (a.value < b.value ? -1 : 1),
  );

const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
const share = (count: number, whole: number): Share => ({ count, percent: ratio(100 * count, whole) });
