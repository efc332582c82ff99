import { flatten } from '../../../evaluate/parseval/flat-tree.ts';
import type { PhraseTree } from '../../../treebank/phrases/phrase-tree.ts';

/** A phrase-structure tree over known words; labels are indices into a list. */
export interface PackedPhrases {
  /** Label, start and end (in words) of each bracket, outer ones first. */
  readonly brackets: readonly number[];
  /** The tag of each word. */
  readonly tags: readonly number[];
}

/** Labels without function tags; empty elements are left out. */
export function packPhrases(tree: PhraseTree, numberOf: (label: string) => number): PackedPhrases {
  const { brackets, tags } = flatten({ tree });
  return {
    brackets: brackets.flatMap(({ label, start, end }) => [numberOf(label), start, end]),
    tags: tags.slice(1).map(numberOf),
  };
}

interface Node {
  readonly label: string;
  readonly form?: string;
  readonly children: Node[];
}

/** @param forms the words, from index 1 */
export function unpackPhrases(
  { brackets, tags }: PackedPhrases,
  forms: readonly string[],
  labels: readonly string[],
): PhraseTree {
  const root: Node = { label: '', children: [] };
  const innermost: Node[] = tags.map(() => root);
  const starts = new Map<Node, number>();
  const open = [{ node: root, end: tags.length }];
  const place = (node: Node, parent: Node, start: number) => {
    parent.children.push(node);
    starts.set(node, start);
  };
  for (let i = 0; i < brackets.length; i += 3) {
    const [label, start, end] = brackets.slice(i, i + 3);
    while (open.at(-1)!.end <= start) open.pop();
    const node: Node = { label: labels[label], children: [] };
    place(node, open.at(-1)!.node, start);
    open.push({ node, end });
    innermost.fill(node, start, end);
  }
  tags.forEach((tag, d) => {
    place({ label: labels[tag], form: forms[d + 1], children: [] }, innermost[d], d);
  });
  for (const node of new Set(innermost)) node.children.sort((x, y) => starts.get(x)! - starts.get(y)!);
  return root.children.length === 1 ? root.children[0] : root;
}
