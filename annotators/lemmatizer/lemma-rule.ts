/** An edit tree (Chrupała 2006; Müller et al. 2015, §3): the longest common substring stays, both sides are edited. */
export type EditTree = { readonly from: string; readonly to: string } | Split;

interface Split {
  /** Characters of the form before and after the part that stays. */
  readonly before: number;
  readonly after: number;
  readonly left: EditTree;
  readonly right: EditTree;
}

/** Maximum depth; below it, texts are replaced as a whole. */
const DEEPEST = 4;
/** Longer texts are replaced as a whole: the search for a common substring is quadratic. */
const LONGEST = 100;

export function editTree(form: string, lemma: string, depth = 0): EditTree {
  const { inForm, inLemma, length } = depth < DEEPEST ? longestCommon(form, lemma) : NOTHING_COMMON;
  if (length === 0) return { from: form, to: lemma };
  return {
    before: inForm,
    after: form.length - inForm - length,
    left: editTree(form.slice(0, inForm), lemma.slice(0, inLemma), depth + 1),
    right: editTree(form.slice(inForm + length), lemma.slice(inLemma + length), depth + 1),
  };
}

/** The lemma of a form; undefined if the tree does not fit the form. */
export function applyTree(tree: EditTree, form: string): string | undefined {
  if ('from' in tree) return tree.from === form ? tree.to : undefined;
  const { before, after } = tree;
  const end = form.length - after;
  if (before >= end) return undefined;
  const left = applyTree(tree.left, form.slice(0, before));
  if (left === undefined) return undefined;
  const right = applyTree(tree.right, form.slice(end));
  return right === undefined ? undefined : left + form.slice(before, end) + right;
}

const NOTHING_COMMON = { inForm: 0, inLemma: 0, length: 0 };

/** The longest common substring; among equals the leftmost in the form, then in the lemma. */
function longestCommon(form: string, lemma: string): typeof NOTHING_COMMON {
  let best = NOTHING_COMMON;
  if (form.length > LONGEST || lemma.length > LONGEST) return best;
  // lengths[j + 1]: length of the longest common suffix of form[0…i] and lemma[0…j].
  let lengths = new Int32Array(lemma.length + 1);
  let next = new Int32Array(lemma.length + 1);
  for (let i = 0; i < form.length; i++) {
    for (let j = 0; j < lemma.length; j++) {
      const length = form[i] === lemma[j] ? lengths[j] + 1 : 0;
      next[j + 1] = length;
      if (length > best.length) best = { inForm: i + 1 - length, inLemma: j + 1 - length, length };
    }
    [lengths, next] = [next, lengths];
  }
  return best;
}

/** Casings that a form may be converted to before its tree is applied, in order of preference. */
export const casings = {
  lower: (form: string) => form.toLowerCase(),
  asWritten: (form: string) => form,
  capitalized: (form: string) => form.slice(0, 1).toUpperCase() + form.slice(1).toLowerCase(),
} as const;
export type Casing = keyof typeof casings;
export const casingNames = Object.keys(casings) as Casing[];
/** Turns a form into a lemma: writes it in a casing, then applies an edit tree. */
export type LemmaRule = { readonly casing: Casing; readonly tree: EditTree };

/** The rule that turns a form into a lemma with the fewest characters replaced. */
export function ruleOf(form: string, lemma: string): LemmaRule {
  const rules = casingNames.map((casing) => ({ casing, tree: editTree(casings[casing](form), lemma) }));
  return rules.reduce((best, rule) => (replaced(rule.tree) < replaced(best.tree) ? rule : best));
}

/** The lemma of a form; undefined if the rule does not fit the form, or the lemma would be empty. */
export const applyRule = ({ casing, tree }: LemmaRule, form: string): string | undefined =>
  applyTree(tree, casings[casing](form)) || undefined;

const replaced = (tree: EditTree): number =>
  'from' in tree ? tree.from.length + tree.to.length : replaced(tree.left) + replaced(tree.right);

/** A rule as JSON: the casing, then the tree as nested lists `[before, after, left, right]` or `[from, to]`. */
export const ruleText = ({ casing, tree }: LemmaRule): string => JSON.stringify([casing, listOf(tree)]);
type TreeList = [string, string] | [number, number, TreeList, TreeList];

function listOf(tree: EditTree): TreeList {
  if ('from' in tree) return [tree.from, tree.to];
  return [tree.before, tree.after, listOf(tree.left), listOf(tree.right)];
}

/** Parses `ruleText`; undefined for anything else. */
export function ruleFrom(text: string): LemmaRule | undefined {
  try {
    const [casing, list] = JSON.parse(text);
    const tree = treeFrom(list);
    return casingNames.includes(casing) && tree !== undefined ? { casing, tree } : undefined;
  } catch {
    return undefined;
  }
}

function treeFrom(list: unknown): EditTree | undefined {
  if (!Array.isArray(list)) return undefined;
  if (list.length === 2) {
    const [from, to] = list;
    return typeof from === 'string' && typeof to === 'string' ? { from, to } : undefined;
  }
  const [before, after, ...sides] = list;
  if (!isLength(before) || !isLength(after) || sides.length !== 2) return undefined;
  const [left, right] = sides.map(treeFrom);
  return left !== undefined && right !== undefined ? { before, after, left, right } : undefined;
}

const isLength = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
