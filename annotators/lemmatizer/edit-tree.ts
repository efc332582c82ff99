/**
 * How a form becomes a lemma (Chrupała 2006; Müller et al. 2015, section 3): what form and lemma have in common at
 * its longest stays, and on either side of it the same again; where nothing is in common, one text replaces another.
 */
export type EditTree = Replacement | Split;

interface Replacement {
  readonly from: string;
  readonly to: string;
}

interface Split {
  /** How much of the form lies before and after what stays. */
  readonly before: number;
  readonly after: number;
  readonly left: EditTree;
  readonly right: EditTree;
}

/** Splits within splits; what is left then is replaced as a whole. */
const DEEPEST = 4;
/** What is longer has nothing in common: finding it would take the square of its length. */
const LONGEST = 100;

export function editTree(form: string, lemma: string, depth = 0): EditTree {
  const common = depth < DEEPEST ? longestCommon(form, lemma) : NOTHING_COMMON;
  const { inForm, inLemma, length } = common;
  if (length === 0) return { from: form, to: lemma };
  return {
    before: inForm,
    after: form.length - inForm - length,
    left: editTree(form.slice(0, inForm), lemma.slice(0, inLemma), depth + 1),
    right: editTree(form.slice(inForm + length), lemma.slice(inLemma + length), depth + 1),
  };
}

/** The lemma of a form; undefined where the tree does not fit it. */
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

/** The longest text that both have, the leftmost in the form and then in the lemma. */
function longestCommon(form: string, lemma: string): typeof NOTHING_COMMON {
  let best = NOTHING_COMMON;
  if (form.length > LONGEST || lemma.length > LONGEST) return best;
  /** Of the characters of the lemma: how long what both have is that ends with it, and with the form's last one. */
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
