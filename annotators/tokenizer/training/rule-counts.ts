import { ruleOf, type SplitRule } from '../words/split-rules.ts';
import type { GoldToken } from './paragraphs.ts';

/** Counts the rules that tokens of several words are split by. */
export class RuleCounts {
  readonly #rules = new Map<string, { readonly rule: SplitRule; count: number }>();

  add({ form, words }: GoldToken): void {
    if (words === undefined) return;
    const rule = ruleOf(form, words);
    const key = keyOf(rule);
    const known = this.#rules.get(key);
    if (known === undefined) this.#rules.set(key, { rule, count: 1 });
    else known.count++;
  }

  /** The rules to be used, and the number of a token's own among them: −1 where it has none. */
  kept(): { readonly rules: readonly SplitRule[]; numberOf(token: GoldToken): number } {
    const rules = [...this.#rules.values()].map(({ rule }) => rule);
    const numbers = new Map(rules.map((rule, number) => [keyOf(rule), number]));
    const numberOf = ({ form, words }: GoldToken) =>
      words === undefined ? -1 : (numbers.get(keyOf(ruleOf(form, words))) ?? -1);
    return { rules, numberOf };
  }
}

function keyOf({ suffix, parts }: SplitRule): string {
  return [suffix, ...parts].join('\t');
}
