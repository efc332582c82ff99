import { detached } from '../../encoding/vocabulary.ts';
import type { Sentence } from '../../treebank/sentence.ts';
import { tagOf } from '../breakdowns/tag.ts';
import { type ComparedSentence, isRight } from '../compared-sentence.ts';
import { arcKind } from './arc-kind.ts';
import type { ArcKind, ErrorAnalysis } from './comparison.ts';
import { KindCounts } from './kind-counts.ts';

/**
 * Sorts parsers' errors by kind: confused labels (as MaltEval's confusion matrix; Nilsson & Nivre 2008), wrong
 * arcs by tag, label and direction, and wrong words (CoNLL-X `eval.pl`'s focus words).
 */
export class ErrorKinds {
  private readonly confusions: KindCounts<{ gold: string; predicted: string }>;
  private readonly arcs: KindCounts<{ tag: string; gold: ArcKind; predicted: ArcKind }>;
  private readonly words: KindCounts<{ form: string; tag: string }>;
  private readonly frequencies = new Map<string, number>();
  private sentences = 0;

  /** @param labelled whether gold has labels: without, an arc is wrong where its head is */
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
      this.countWord(wordKey(wordOf(gold, d)));
      for (let parser = 0; parser < this.parsers; parser++) this.addToken(sentence, parser, d);
    }
  }

  private countWord(key: string): void {
    const times = this.frequencies.get(key);
    this.frequencies.set(times === undefined ? detached(key) : key, (times ?? 0) + 1);
  }

  private addToken({ gold, trees }: ComparedSentence, parser: number, d: number): void {
    const { labelled, sentences: number } = this;
    const tree = trees[parser];
    if (isRight(gold, tree, d, labelled)) return;
    const tag = (h: number) => tagOf(gold, h);
    const predicted = arcKind(tree, d, tag, labelled);
    const right = arcKind(gold, d, tag, labelled);
    if (predicted.head !== 'missing' && right.label !== predicted.label) {
      this.confusions.add({ gold: right.label, predicted: predicted.label }, parser, number, d);
    }
    this.arcs.add({ tag: tagOf(gold, d), gold: right, predicted }, parser, number, d);
    this.words.add(wordOf(gold, d), parser, number, d);
  }

  /** The lists, each as long as the limit; by default all. */
  analysis(limit?: number): ErrorAnalysis {
    return {
      labelConfusions: this.confusions.top(limit),
      wrongArcs: this.arcs.top(limit),
      words: this.words.top(limit).map((word) => ({ ...word, tokens: this.frequencies.get(wordKey(word))! })),
    };
  }
}

function wordOf(gold: Sentence, d: number) {
  return { form: gold.forms[d].toLowerCase(), tag: tagOf(gold, d) };
}

function wordKey({ form, tag }: { readonly form: string; readonly tag: string }): string {
  return `${form}\t${tag}`;
}
