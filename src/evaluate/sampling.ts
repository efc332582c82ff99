import { confidencesOf } from '../treebank/columns/confidence.ts';
import type { DependencyTree, Sentence } from '../treebank/sentence.ts';

export const uncertainties = ['probability', 'disagreement', 'new-words'] as const;
export type Uncertainty = (typeof uncertainties)[number];

/** A sentence that may be worth annotating. */
export interface Candidate {
  /** Its number in the file, from 1. */
  readonly number: number;
  readonly id: string | undefined;
  readonly tokens: number;
  /** The parsers' uncertainty. */
  readonly score: number;
  /** The sentence in CoNLL-U. */
  readonly text: string;
}

/** Lower bound of confidences, so that one impossible arc does not outweigh all others. */
const LOWEST = 0.03;

/**
 * Measures the uncertainty about a sentence, given the trees of one or more parsers: `probability`, minus the log of the
 * product of the first parser's confidences; `disagreement`, the mean number of arcs in which two parsers differ;
 * `new-words`, the number of words that are not `known`.
 */
export function uncertaintyOf(by: Uncertainty, sentences: readonly Sentence[], known: ReadonlySet<string>) {
  const [sentence] = sentences as [Sentence];
  if (by === 'new-words') return wordsOf(sentence).filter((word) => !known.has(word)).length;
  if (by === 'disagreement') return disagreement(sentences);
  const confidences = confidencesOf(sentence) ?? new Float64Array();
  let score = 0;
  for (let d = 1; d < confidences.length; d++) score -= Math.log(Math.max(LOWEST, confidences[d]));
  return score;
}

function disagreement(trees: readonly DependencyTree[]): number {
  let differing = 0;
  for (let d = 1; d < trees[0].heads.length; d++) {
    for (const [i, one] of trees.entries())
      for (const other of trees.slice(i + 1))
        if (one.heads[d] !== other.heads[d] || one.labels[d] !== other.labels[d]) differing++;
  }
  return differing / ((trees.length * (trees.length - 1)) / 2);
}

export const wordsOf = ({ forms }: Sentence): string[] => forms.slice(1).map((form) => form.toLowerCase());

/** Keeps the candidates with the highest scores, in bounded memory. */
export class Candidates {
  private candidates: Candidate[] = [];

  constructor(private readonly limit: number) {}

  add(candidate: Candidate): void {
    this.candidates.push(candidate);
    if (this.candidates.length >= 2 * this.limit) this.candidates = this.best();
  }

  /** The `count` best candidates by falling score, without those that share most of their words with a better one. */
  chosen(count: number): Candidate[] {
    const chosen: { readonly candidate: Candidate; readonly words: ReadonlySet<string> }[] = [];
    for (const candidate of this.best()) {
      if (chosen.length === count) break;
      const words = new Set(wordsIn(candidate));
      if (!chosen.some((other) => overlap(other.words, words) > DUPLICATE)) chosen.push({ candidate, words });
    }
    return chosen.map(({ candidate }) => candidate);
  }

  private best(): Candidate[] {
    const ranked = this.candidates.sort((a, b) => b.score - a.score || a.number - b.number);
    // Copies of one sentence, such as boilerplate, must not crowd out others.
    const distinct = new Map<string, Candidate>();
    for (const candidate of ranked) {
      const words = wordsIn(candidate).join('\t');
      if (!distinct.has(words)) distinct.set(words, candidate);
    }
    return [...distinct.values()].slice(0, this.limit);
  }
}

const wordsIn = ({ text }: Candidate): string[] =>
  Array.from(text.matchAll(/^\d+\t([^\t]+)/gm), ([, form]) => form!.toLowerCase());

/** The Jaccard similarity of words above which two sentences are near-duplicates. */
const DUPLICATE = 0.6;

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared / (a.size + b.size - shared);
}
