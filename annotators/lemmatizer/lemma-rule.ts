import { applyTree, type EditTree, editTree } from './edit-tree.ts';

/** How a form is written before its tree is applied, in the order in which they are preferred. */
const casings = {
  lower: (form: string) => form.toLowerCase(),
  asWritten: (form: string) => form,
  capitalized: (form: string) => form.slice(0, 1).toUpperCase() + form.slice(1).toLowerCase(),
} as const;
export type Casing = keyof typeof casings;
export const casingNames = Object.keys(casings) as Casing[];

/** A form in one of these ways. */
export function written(form: string, casing: Casing): string {
  return casings[casing](form);
}

/** How a form becomes a lemma: it is written in this way, and then edited. */
export interface LemmaRule {
  readonly casing: Casing;
  readonly tree: EditTree;
}

/** The rule by which a form becomes a lemma: that which replaces the fewest characters. */
export function ruleOf(form: string, lemma: string): LemmaRule {
  const rules = casingNames.map((casing) => ({ casing, tree: editTree(casings[casing](form), lemma) }));
  return rules.reduce((best, rule) => (replaced(rule.tree) < replaced(best.tree) ? rule : best));
}

/** The lemma of a form; undefined where the rule does not fit it, or would leave nothing. */
export function applyRule({ casing, tree }: LemmaRule, form: string): string | undefined {
  return applyTree(tree, casings[casing](form)) || undefined;
}

function replaced(tree: EditTree): number {
  return 'from' in tree ? tree.from.length + tree.to.length : replaced(tree.left) + replaced(tree.right);
}

/** Rules are written as JSON: the casing, then the tree in nested lists of `before, after, left, right` or `from, to`. */
export function ruleText({ casing, tree }: LemmaRule): string {
  return JSON.stringify([casing, listOf(tree)]);
}

type TreeList = [string, string] | [number, number, TreeList, TreeList];

function listOf(tree: EditTree): TreeList {
  if ('from' in tree) return [tree.from, tree.to];
  return [tree.before, tree.after, listOf(tree.left), listOf(tree.right)];
}

/** The rule that a text stands for; undefined where it stands for none. */
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

function isLength(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
