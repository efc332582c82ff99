/** A phrase with `children`, or a pre-terminal with a `form`; `label` is as written (`NP-SBJ-1`, or '' for none). */
export interface PhraseTree {
  readonly label: string;
  readonly children: readonly PhraseTree[];
  readonly form?: string | undefined;
}

/** A tree and its text, with every character up to the next tree. */
export interface BracketedSentence {
  readonly tree: PhraseTree;
  readonly source: { readonly file: string; readonly line: number; readonly text: string };
}

/** The tag of empty elements such as traces, which are not words of the text. */
export const EMPTY_ELEMENT = '-NONE-';

/** Lists the nodes of a tree in preorder. */
export function nodesOf<Node extends { readonly children: readonly Node[] }>(root: Node): Node[] {
  const nodes: Node[] = [];
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    nodes.push(node);
    for (let i = node.children.length - 1; i >= 0; i--) pending.push(node.children[i]);
  }
  return nodes;
}

/** The tags of the words of a tree without empty elements, from index 1 on. */
export const tagsIn = (tree: PhraseTree): string[] => [
  '',
  ...nodesOf(tree).flatMap(({ label, form }) => (form === undefined ? [] : [label])),
];

/** The tree with other words; `forms`: from index 1 on, one for each word. */
export function withForms(tree: PhraseTree, forms: readonly string[]): PhraseTree {
  const copies = new Map<PhraseTree, PhraseTree>();
  let d = forms.length;
  for (const node of nodesOf(tree).reverse())
    copies.set(
      node,
      node.form === undefined
        ? { ...node, children: node.children.map((child) => copies.get(child)!) }
        : { ...node, form: forms[--d] },
    );
  return copies.get(tree)!;
}

/** The names of brackets in the Penn Treebank. */
const BRACKETS: ReadonlyMap<string, string> = new Map([
  ['(', '-LRB-'],
  [')', '-RRB-'],
  ['[', '-LSB-'],
  [']', '-RSB-'],
  ['{', '-LCB-'],
  ['}', '-RCB-'],
]);

/** Writes a word for bracketed trees: `(` as `-LRB-`, spaces as no-break spaces. */
export const bracketForm = (form: string): string =>
  form.replace(/[()]/g, (bracket) => BRACKETS.get(bracket)!).replace(/\s/g, '\u00a0');

/** Writes a word as training trees may have it: every kind of bracket by its name. */
export const namedForm = (form: string): string => BRACKETS.get(form) ?? bracketForm(form);

const named: ReadonlyMap<string, string> = new Map([...BRACKETS].map(([form, name]) => [name, form]));

/** The reverse of `namedForm`: `-LRB-` → `(`. */
export const plainForm = (form: string): string => named.get(form) ?? form;

/** A word of a bracketed tree as it stands in text: `p56-LRB-lck-RRB-` → `p56(lck)`, `1\/2` → `1/2`, `\*` → `*`. */
export const textForm = (form: string): string =>
  form.replace(/-[LR][RSC]B-/g, plainForm).replace(/\\([/*])/g, '$1');
