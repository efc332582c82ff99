import { detached } from '../../platform/platform.ts';
import type { DependencyTree, Sentence } from '../../treebank/sentence.ts';
import { haveSameWords } from '../alignment/aligned-rows.ts';
import { type ComparedTree, ELSEWHERE } from '../alignment/counterpart.ts';
import { type ComparedSentence, isRight } from '../compared-sentence.ts';
import { pairsOf } from '../significance/resampling.ts';
import type { DifferingSentence } from './comparison.ts';

/** Collects the sentences in which scores differ, by the spread of right arcs, then disputed tokens, then number. */
export class DifferingSentences {
  private found: DifferingSentence[] = [];
  private sentences = 0;

  constructor(
    private readonly labelled: boolean,
    private readonly limit = Number.POSITIVE_INFINITY,
  ) {}

  add({ gold, trees, scored }: ComparedSentence): void {
    const sentence = ++this.sentences;
    const counts = countRight({ gold, trees, scored }, this.labelled);
    if (spread(counts) === 0) return;
    const { id, forms } = gold;
    const text = forms.slice(1).join(' ');
    this.found.push({ sentence, id: id === undefined ? id : detached(id), text, ...counts });
    // Sorts and truncates from time to time, to keep at most twice the limit.
    if (this.found.length >= 2 * this.limit) this.found = this.first();
  }

  first(): DifferingSentence[] {
    return this.found
      .toSorted((x, y) => spread(y) - spread(x) || y.disputed - x.disputed || x.sentence - y.sentence)
      .slice(0, this.limit);
  }
}

type RightCounts = Pick<DifferingSentence, 'scored' | 'heads' | 'arcs' | 'disputed'>;
const spread = ({ arcs }: RightCounts): number => Math.max(...arcs) - Math.min(...arcs);

function countRight({ gold, trees, scored }: ComparedSentence, labelled: boolean): RightCounts {
  const heads = trees.map(() => 0);
  const arcs = trees.map(() => 0);
  let tokens = 0;
  let disputed = 0;
  for (let d = 1; d <= gold.length; d++) {
    if (scored[d] === 0) continue;
    tokens++;
    let differ = false;
    for (let parser = 0; parser < trees.length; parser++) {
      if (isRight(gold, trees[parser], d, false)) heads[parser]++;
      if (isRight(gold, trees[parser], d, labelled)) arcs[parser]++;
      differ ||= parser > 0 && !areEqual(trees[0], trees[parser], d, labelled);
    }
    if (differ) disputed++;
  }
  return { scored: tokens, heads, arcs, disputed };
}

/** Whether two parsers attach a word alike; their heads outside the sentence may be different words. */
const areEqual = (a: ComparedTree, b: ComparedTree, d: number, labelled: boolean): boolean =>
  a.heads[d] !== ELSEWHERE && isRight(a, b, d, labelled);

/** Finds parsers with identical trees, punctuation included: a file given twice, or copied. */
export class SameTrees {
  pairs: readonly (readonly [number, number])[];

  constructor(parsers: number) {
    this.pairs = pairsOf(parsers);
  }

  add({ gold, trees }: Pick<ComparedSentence, 'gold' | 'trees'>): void {
    if (this.pairs.length === 0) return;
    const own = trees.map((tree) => ownSentences(gold, tree));
    this.pairs = this.pairs.filter(([a, b]) => areAllSame(own[a], own[b]));
  }
}

/** The sentences of a parser: its own if it has split the text differently, else the gold sentence with its tree. */
const ownSentences = (gold: Sentence, { split, heads, labels }: ComparedTree): readonly Sentence[] =>
  split?.sentences.map(({ sentence }) => sentence) ?? [{ ...gold, heads, labels }];

const areAllSame = (a: readonly Sentence[], b: readonly Sentence[]): boolean =>
  a.length === b.length && a.every((one, i) => haveSameWords(one, b[i]) && areSame(one, b[i]));

const areSame = (a: DependencyTree, b: DependencyTree): boolean =>
  a.heads.length === b.heads.length && a.heads.every((_, d) => d === 0 || isRight(a, b, d, true));
