import { type Clauses, parseQuery } from '../../src/treebank/query/syntax.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';

/** Counts a query's matches by trying every token for every node. */
export function naiveCount(text: string, sentence: Sentence): number {
  const { pattern, nodes, names, blocks } = parseQuery(text);
  const bound = new Array<number>(names.length).fill(0);
  const assignments = (first: number, end: number, found: () => boolean): number => {
    if (first === end) return Number(found());
    let count = 0;
    for (let d = 1; d <= sentence.length; d++) {
      if (bound.includes(d)) continue;
      bound[first] = d;
      count += assignments(first + 1, end, found);
      bound[first] = 0;
    }
    return count;
  };
  return assignments(0, nodes, () => {
    if (!holds(pattern, sentence, bound)) return false;
    return blocks.every(({ clauses, negated, first, end }) => {
      const inner = assignments(first, end, () => holds(clauses, sentence, bound));
      return inner > 0 !== negated;
    });
  });
}

function holds({ conditions, relations }: Clauses, sentence: Sentence, bound: readonly number[]): boolean {
  const { heads, labels } = sentence;
  const isAmong = (
    value: string | undefined,
    values: readonly (string | RegExp)[] | undefined,
    negated: boolean,
  ) => {
    if (values === undefined) return (value !== undefined) !== negated;
    if (value === undefined) return false;
    return values.some((each) => (typeof each === 'string' ? each === value : each.test(value))) !== negated;
  };
  const above = (d: number): number[] => (heads[d]! > 0 ? [heads[d]!, ...above(heads[d]!)] : []);
  const isTrue = conditions.every(({ node, name, values, negated }) =>
    isAmong(propertyOf(sentence, bound[node]!, name), values, negated),
  );
  return (
    isTrue &&
    relations.every((relation) => {
      if (relation.kind === 'arc') {
        const d = bound[relation.right]!;
        if (
          relation.label !== undefined &&
          !isAmong(labels[d], relation.label.values, relation.label.negated)
        )
          return false;
        return relation.head === undefined || heads[d] === bound[relation.head];
      }
      const [left, right] = [bound[relation.left]!, bound[relation.right]!];
      if (relation.kind === 'equal') {
        const one = propertyOf(sentence, left, relation.leftName);
        const other = propertyOf(sentence, right, relation.rightName);
        return one !== undefined && other !== undefined && (one === other) !== relation.negated;
      }
      if (relation.kind === 'next') return left + 1 === right;
      return relation.kind === 'precedes' ? left < right : above(right).includes(left);
    })
  );
}

function propertyOf(sentence: Sentence, d: number, name: string): string | undefined {
  const { forms, lemmas, upos, xpos, labels, feats, misc } = sentence;
  const column = { form: forms, lemma: lemmas, upos, xpos, label: labels }[name];
  const text =
    column?.[d] ??
    `${feats[d]}|${misc[d]}`
      .split('|')
      .find((part) => part.startsWith(`${name}=`))
      ?.split('=')[1];
  return text === '_' ? undefined : text;
}
