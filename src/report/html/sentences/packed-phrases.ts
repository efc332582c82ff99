import { flatten } from '../../../evaluate/parseval/flat-tree.ts';
import type { PhraseTree } from '../../../treebank/brackets/phrase-tree.ts';

/** A phrase-structure tree of words that are known: labels are numbers of entries in a list. */
export interface PackedPhrases {
  /** Of each bracket its label, the number of words before it, and that of words up to its end; outer ones first. */
  readonly brackets: readonly number[];
  /** Of each word its tag. */
  readonly tags: readonly number[];
}

/** Labels end where their function tags begin; empty elements are left out. */
export function packPhrases(tree: PhraseTree, numberOf: (label: string) => number): PackedPhrases {
  const { brackets, tags } = flatten({ tree });
  return {
    brackets: brackets.flatMap(({ label, start, end }) => [numberOf(label), start, end]),
    tags: tags.slice(1).map(numberOf),
  };
}

/** A node that is being put together, and the number of words before it. */
interface OpenNode {
  readonly label: string;
  readonly form?: string;
  readonly children: OpenNode[];
  readonly start: number;
  readonly end: number;
}

/** @param forms the words, from index 1 */
export function unpackPhrases(
  { brackets, tags }: PackedPhrases,
  forms: readonly string[],
  labels: readonly string[],
): PhraseTree {
  const root: OpenNode = { label: '', children: [], start: 0, end: tags.length };
  const innermost: OpenNode[] = tags.map(() => root);
  const open = [root];
  for (let i = 0; i < brackets.length; i += 3) {
    const [label, start, end] = brackets.slice(i, i + 3);
    while (open.at(-1)!.end < end || open.at(-1)!.end <= start) open.pop();
    const node: OpenNode = { label: labels[label], children: [], start, end };
    open.at(-1)!.children.push(node);
    open.push(node);
    innermost.fill(node, start, end);
  }
  tags.forEach((tag, d) => {
    innermost[d].children.push({
      label: labels[tag],
      form: forms[d + 1],
      children: [],
      start: d,
      end: d + 1,
    });
  });
  for (const node of new Set([root, ...innermost])) node.children.sort((x, y) => x.start - y.start);
  return root.children.length === 1 ? root.children[0] : root;
}
