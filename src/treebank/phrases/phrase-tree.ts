/**
 * A leaf's parent (the pre-terminal) has a `form` and no children, other nodes the reverse. `label` is kept
 * as written (`NP-SBJ-1`, `-NONE-`, or '' for the unlabelled outer bracket).
 */
export interface PhraseTree {
  readonly label: string;
  readonly children: readonly PhraseTree[];
  readonly form?: string | undefined;
}

/** `source.text` holds every character up to the next tree. */
export interface BracketedSentence {
  readonly tree: PhraseTree;
  readonly source: { readonly file: string; readonly line: number; readonly text: string };
}

/** The tag of empty elements such as traces, which are not words of the text. */
export const EMPTY_ELEMENT = '-NONE-';

/** In preorder. */
export function nodesOf<Node extends { readonly children: readonly Node[] }>(root: Node): Node[] {
  const nodes: Node[] = [];
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    nodes.push(node);
    for (let i = node.children.length - 1; i >= 0; i--) pending.push(node.children[i]!);
  }
  return nodes;
}
