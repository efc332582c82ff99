/** A pre-terminal has a `form` and no children, others the reverse; `label` is as written (`NP-SBJ-1`; '': none). */
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

/** The names of brackets in the Penn Treebank. */
const BRACKETS: Readonly<Record<string, string>> = {
  '(': '-LRB-',
  ')': '-RRB-',
  '[': '-LSB-',
  ']': '-RSB-',
  '{': '-LCB-',
  '}': '-RCB-',
};

/** A word in bracketed trees: round brackets by name, no-break spaces inside. */
export const bracketForm = (form: string): string =>
  form.replace(/[()]/g, (bracket) => BRACKETS[bracket]).replace(/\s/g, '\u00a0');

/** A word as training trees may have it: all brackets by name. */
export const namedForm = (form: string): string => BRACKETS[form] ?? bracketForm(form);

const named: ReadonlyMap<string, string> = new Map(
  Object.entries(BRACKETS).map(([form, name]) => [name, form]),
);

/** A word as texts have it: brackets that are written by name as themselves. */
export const plainForm = (form: string): string => named.get(form) ?? form;
