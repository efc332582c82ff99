import { applyTree, type EditTree } from './edit-tree.ts';
import { type Casing, casingNames, type LemmaRule, written } from './lemma-rule.ts';

interface NumberedTree {
  readonly number: number;
  readonly tree: EditTree;
}

/** Finds the rules that fit a form by what it ends with: few of all need be tried. */
export class RuleIndex {
  /** By the casing of a rule and what it replaces at the end of a form. */
  private readonly byEnding = new Map<Casing, Map<string, NumberedTree[]>>(
    casingNames.map((casing) => [casing, new Map()]),
  );
  private longest = 0;

  constructor(rules: readonly LemmaRule[]) {
    for (const [number, { casing, tree }] of rules.entries()) {
      const ending = endingOf(tree);
      const byEnding = this.byEnding.get(casing)!;
      const alike = byEnding.get(ending) ?? byEnding.set(ending, []).get(ending)!;
      alike.push({ number, tree });
      this.longest = Math.max(this.longest, ending.length);
    }
  }

  /** The numbers of the rules that fit a form and leave something of it, in order. */
  fitting(form: string): number[] {
    const found: number[] = [];
    for (const [casing, byEnding] of this.byEnding) {
      const text = written(form, casing);
      for (let length = Math.min(this.longest, text.length); length >= 0; length--) {
        for (const { number, tree } of byEnding.get(text.slice(text.length - length)) ?? []) {
          if (applyTree(tree, text)) found.push(number);
        }
      }
    }
    return found.sort((a, b) => a - b);
  }
}

/** What a form must end with for a tree to fit it. */
function endingOf(tree: EditTree): string {
  return 'from' in tree ? tree.from : endingOf(tree.right);
}
