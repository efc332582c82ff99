import { AttachmentCounts, sameRoots } from '../attachment/attachment-counts.ts';
import { scoredWords } from '../attachment/punctuation.ts';
import type { UdSentenceCounts } from '../attachment/ud-sentence.ts';
import type { ComparedSentence } from '../compared-sentence.ts';
import { GrowingCounts } from '../growing-counts.ts';
import type { McNemarResult } from '../significance/mcnemar.ts';
import { pairsOf, type SentenceCounts } from '../significance/resampling.ts';
import { type MetricName, type MetricUnit, metrics } from './metrics.ts';

/** The counts of a metric that significance tests need. */
export interface MetricOutcomes {
  /** One entry per parser, for `stratifiedShuffling` and `bootstrapScores`. */
  readonly sentences: readonly SentenceCounts[];
  /** For token metrics, one entry per pair (see `pairsOf`): tokens that only one of the two gets right. */
  readonly alone?: readonly AloneRight[] | undefined;
}

type AloneRight = Pick<McNemarResult, 'onlyA' | 'onlyB'>;

/** Counts right units per sentence by metric and parser. */
export class MetricCounts {
  /** By parser: scored gold tokens plus scored predicted tokens. */
  private readonly both: readonly GrowingCounts[];
  /** By parser, if a metric needs them: words, or content words, of gold and the parser together. */
  private readonly words: readonly GrowingCounts[];
  private readonly content: readonly GrowingCounts[];
  private readonly right: ReadonlyMap<MetricName, readonly GrowingCounts[]>;
  private readonly alone: ReadonlyMap<MetricName, AloneCounts>;

  constructor(
    private readonly names: readonly MetricName[],
    private readonly parsers: number,
  ) {
    const eachParser = () => Array.from({ length: parsers }, () => new GrowingCounts());
    const ofTokens = names.filter((name) => metrics[name].unit === 'tokens');
    this.both = eachParser();
    const ifNeeded = (unit: MetricUnit) =>
      names.some((name) => metrics[name].unit === unit) ? eachParser() : [];
    this.words = ifNeeded('words');
    this.content = ifNeeded('content');
    this.right = new Map(names.map((name) => [name, eachParser()]));
    this.alone = new Map(ofTokens.map((name) => [name, new AloneCounts(name, parsers)]));
  }

  add(sentence: ComparedSentence, ud: readonly UdSentenceCounts[]): void {
    const { gold, trees, scored } = sentence;
    let tokens = 0;
    for (const isScored of scored) tokens += isScored;
    for (let parser = 0; parser < this.parsers; parser++) {
      const tree = trees[parser];
      const counts = new AttachmentCounts();
      counts.add(gold.heads, gold.labels, tree.heads, tree.labels, gold.length, scored);
      const hasRightRoot = sameRoots(gold, tree, gold.length, scored);
      const words = scoredWords(tree, scored, sentence.extra?.[parser] ?? 0);
      this.both[parser].push(tokens + words);
      this.words[parser]?.push(ud[parser].goldWords + ud[parser].predictedWords);
      this.content[parser]?.push(ud[parser].goldContent + ud[parser].predictedContent);
      for (const name of this.names)
        this.right.get(name)![parser].push(metrics[name].right(counts, ud[parser], hasRightRoot));
    }
    for (const alone of this.alone.values()) alone.add(sentence);
  }

  outcomes(names: readonly MetricName[]): ReadonlyMap<MetricName, MetricOutcomes> {
    const totals: Readonly<Record<MetricUnit, readonly Int32Array[]>> = {
      tokens: shared(this.both.map(({ values }) => values)),
      sentences: Array(this.parsers).fill(new Int32Array(this.both[0].length).fill(1)),
      words: shared(this.words.map(({ values }) => values)),
      content: this.content.map(({ values }) => values),
    };
    return new Map(
      names.map((name) => {
        const total = totals[metrics[name].unit];
        const right = this.right.get(name)!.map(({ values }) => values);
        const sentences = right.map((correct, parser) => ({ correct, total: total[parser] }));
        return [name, { sentences, alone: this.alone.get(name)?.pairs() }];
      }),
    );
  }
}

/** Replaces equal columns by one array, so that resampling sums it only once. */
function shared(columns: readonly Int32Array[]): readonly Int32Array[] {
  const [first] = columns;
  return columns.map((column) => (column.every((count, i) => count === first[i]) ? first : column));
}

/** Counts tokens that only one parser of a pair gets right, for McNemar's test. */
class AloneCounts {
  /** parsers × parsers: number of tokens for which the row's parser is right and the column's is wrong. */
  private readonly counts: Float64Array;
  private readonly right: Uint8Array;
  private readonly isRight: NonNullable<(typeof metrics)[MetricName]['isRight']>;

  constructor(
    name: MetricName,
    private readonly parsers: number,
  ) {
    this.counts = new Float64Array(parsers * parsers);
    this.right = new Uint8Array(parsers);
    this.isRight = metrics[name].isRight!;
  }

  add({ gold, trees, scored }: ComparedSentence): void {
    const { parsers, right, isRight } = this;
    for (let d = 1; d <= gold.length; d++) {
      if (scored[d] === 0) continue;
      let sum = 0;
      for (let parser = 0; parser < parsers; parser++) {
        right[parser] = isRight(gold, trees[parser], d) ? 1 : 0;
        sum += right[parser];
      }
      if (sum > 0 && sum < parsers) this.addDisputed();
    }
  }

  private addDisputed(): void {
    const { parsers, right, counts } = this;
    for (let a = 0; a < parsers; a++) {
      if (right[a] === 0) continue;
      for (let b = 0; b < parsers; b++) counts[a * parsers + b] += 1 - right[b];
    }
  }

  pairs(): AloneRight[] {
    const { parsers, counts } = this;
    return pairsOf(parsers).map(([a, b]) => {
      return { onlyA: counts[a * parsers + b], onlyB: counts[b * parsers + a] };
    });
  }
}
