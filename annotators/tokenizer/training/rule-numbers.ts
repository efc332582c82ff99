import { ruleOf, type SplitRule } from '../words/split-rules.ts';
import type { GoldToken } from './paragraphs.ts';

/** Numbers the rules that tokens of several words are split by, in the order of their first appearance. */
export class RuleNumbers {
  readonly rules: SplitRule[] = [];
  private readonly numbers = new Map<string, number>();

  /** The number of a token's rule; −1 where it is one word. */
  numberOf({ form, words }: GoldToken): number {
    if (words === undefined) return -1;
    const rule = ruleOf(form, words);
    const key = [rule.suffix, ...rule.parts].join('\t');
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, this.rules.length);
    return this.rules.push(rule) - 1;
  }
}
