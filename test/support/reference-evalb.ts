import type { PhraseTree } from '../../src/treebank/phrases/phrase-tree.ts';

interface Span {
  readonly label: string;
  readonly start: number;
  readonly end: number;
}

const PUNCTUATION = [',', ':', '``', "''", '.'];

/**
 * EVALB with COLLINS.prm on one sentence, as literal as its documentation (recursive, quadratic): the reference for
 * `scorePhrases`. The trees have the same words, no empty elements, and the outer label TOP.
 */
export function evalbByHand(goldTree: PhraseTree, predictedTree: PhraseTree) {
  const goldTags = tagsOf(goldTree);
  const tags = tagsOf(predictedTree);
  const kept = goldTags.map((tag, i) => !(PUNCTUATION.includes(tag) && PUNCTUATION.includes(tags[i]!)));
  const gold = spansOf(goldTree, kept);
  const predicted = spansOf(predictedTree, kept);
  const unmatched = [...predicted];
  let matched = 0;
  for (const bracket of gold) {
    const found = unmatched.findIndex((other) => same(bracket, other));
    if (found === -1) continue;
    unmatched.splice(found, 1);
    matched++;
  }
  return {
    gold: gold.length,
    predicted: predicted.length,
    matched,
    exact: gold.length === matched && predicted.length === matched ? 1 : 0,
    crossing: predicted.filter((bracket) => gold.some((other) => cross(bracket, other))).length,
    words: kept.filter(Boolean).length,
    rightTags: goldTags.filter((tag, i) => kept[i] && tag === tags[i]).length,
  };
}

function tagsOf({ label, form, children }: PhraseTree): string[] {
  return form === undefined ? children.flatMap(tagsOf) : [label];
}

/** The phrases that count, with their spans over the words that are kept. */
function spansOf(tree: PhraseTree, kept: readonly boolean[]): Span[] {
  const spans: Span[] = [];
  const position = (word: number) => kept.slice(0, word).filter(Boolean).length;
  const walk = ({ label, form, children }: PhraseTree, first: number): number => {
    if (form !== undefined) return first + 1;
    const end = children.reduce((next, child) => walk(child, next), first);
    spans.push({ label: label.replace(/[-=].*/, ''), start: position(first), end: position(end) });
    return end;
  };
  walk(tree, 0);
  return spans.filter(({ label, start, end }) => label !== 'TOP' && start < end);
}

function same(a: Span, b: Span): boolean {
  const equal = a.label === b.label || [a.label, b.label].sort().join() === 'ADVP,PRT';
  return equal && a.start === b.start && a.end === b.end;
}

function cross(a: Span, b: Span): boolean {
  const overlap = (x: Span, y: Span) => x.start < y.start && y.start < x.end && x.end < y.end;
  return overlap(a, b) || overlap(b, a);
}
