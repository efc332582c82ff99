import { finish, mix } from '../../src/learn/hashing.ts';
import { FeatureHashes } from '../features/feature-hashes.ts';
import { fillLemmaFeatures, MOST_FEATURES, type WordTags } from './lemma-features.ts';
import { applyRule, type LemmaRule } from './lemma-rule.ts';
import { RuleIndex } from './rule-index.ts';

/** Chooses among the rules that fit a form. */
export class RuleChooser {
  /** The features of the word at hand. */
  readonly features = new FeatureHashes(MOST_FEATURES);
  readonly #general: RuleIndex;
  readonly #mask: number;

  /** @param general so many rules, the first ones, may be chosen */
  constructor(
    private readonly rules: readonly LemmaRule[],
    general: number,
    private readonly weights: Int16Array,
  ) {
    this.#general = new RuleIndex(rules.slice(0, general));
    this.#mask = weights.length - 1;
  }

  /** The lemma of a form by a rule; undefined where that does not fit. */
  apply(rule: number, form: string): string | undefined {
    return applyRule(this.rules[rule], form);
  }

  /** The best lemma of a word by the general rules; the form itself where none fits. */
  best(form: string, tags: WordTags): string {
    fillLemmaFeatures(this.features, form, tags);
    const rule = this.bestRule(form);
    return rule < 0 ? form : this.apply(rule, form)!;
  }

  /** The best of the general rules for the word at hand; −1 where none fits. */
  bestRule(form: string): number {
    let best = -1;
    let highest = Number.NEGATIVE_INFINITY;
    for (const rule of this.#general.fitting(form)) {
      const score = this.#score(rule);
      if (score <= highest) continue;
      highest = score;
      best = rule;
    }
    return best;
  }

  /** The score of a rule for the word at hand. */
  #score(rule: number): number {
    const { hashes, count } = this.features;
    let sum = 0;
    for (let k = 0; k < count; k++) sum += this.weights[this.index(hashes[k], rule)];
    return sum;
  }

  /** The index of the weight of a feature and a rule. */
  index(hash: number, rule: number): number {
    return finish(mix(hash, rule)) & this.#mask;
  }
}
