import type { DependencyTree, Sentence } from '../../treebank/sentence.ts';
import { tagOf } from '../breakdowns/tag.ts';
import { type ComparedSentence, isRight } from '../compared-sentence.ts';
import type { ArcKind, ErrorAnalysis } from './comparison.ts';
import { KindCounts } from './kind-counts.ts';

export interface ErrorOptions {
  /** Kinds of errors in each list; default all. */
  readonly limit?: number | undefined;
  /** Whether gold has labels: without, an arc is wrong where its head is. */
  readonly labelled: boolean;
}

/**
 * Sorts the errors of `parsers` parsers by kind: confused labels (as MaltEval's confusion matrix; Nilsson &
 * Nivre 2008), wrong arcs by tag, label and direction, and wrong words (CoNLL-X `eval.pl`'s focus words).
 */
export function errorAnalysis(
  sentences: readonly ComparedSentence[],
  parsers: number,
  { limit, labelled }: ErrorOptions,
): ErrorAnalysis {
  const confusions = new KindCounts<{ gold: string; predicted: string }>(parsers);
  const arcs = new KindCounts<{ tag: string; gold: ArcKind; predicted: ArcKind }>(parsers);
  const words = new KindCounts<{ form: string; tag: string }>(parsers);
  sentences.forEach(({ gold, trees, scored }, i) => {
    for (let parser = 0; parser < parsers; parser++) {
      const tree = trees[parser];
      for (let d = 1; d <= gold.length; d++) {
        if (scored[d] === 0 || isRight(gold, tree, d, labelled)) continue;
        const place = { sentence: i + 1, token: d };
        const predicted = arcKind(gold, tree, d, labelled);
        const right = arcKind(gold, gold, d, labelled);
        const tag = tagOf(gold, d);
        if (right.label !== predicted.label) {
          confusions.add({ gold: right.label, predicted: predicted.label }, parser, place);
        }
        arcs.add({ tag, gold: right, predicted }, parser, place);
        words.add({ form: gold.forms[d].toLowerCase(), tag }, parser, place);
      }
    }
  });
  const frequencies = wordFrequencies(sentences);
  return {
    labelConfusions: confusions.top(limit),
    wrongArcs: arcs.top(limit),
    words: words.top(limit).map((word) => ({ ...word, tokens: frequencies.get(wordKey(word))! })),
  };
}

function arcKind(gold: Sentence, { heads, labels }: DependencyTree, d: number, labelled: boolean): ArcKind {
  const label = labelled ? labels[d] : '_';
  const h = heads[d];
  if (h === 0) return { label, head: 'root' };
  return { label, head: h < d ? 'left' : 'right', headTag: tagOf(gold, h) };
}

function wordFrequencies(sentences: readonly ComparedSentence[]): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const { gold, scored } of sentences) {
    for (let d = 1; d <= gold.length; d++) {
      if (scored[d] === 0) continue;
      const key = wordKey({ form: gold.forms[d].toLowerCase(), tag: tagOf(gold, d) });
      frequencies.set(key, (frequencies.get(key) ?? 0) + 1);
    }
  }
  return frequencies;
}

function wordKey({ form, tag }: { readonly form: string; readonly tag: string }): string {
  return `${form}\t${tag}`;
}
