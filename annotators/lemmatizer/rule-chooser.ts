import { finish, mix } from '../../src/learn/hashing.ts';
import type { AveragedWeights } from '../../src/learn/linear/weights.ts';
import { FeatureHashes } from '../features/feature-hashes.ts';
import { fillLemmaFeatures, lemmaKey, MOST_FEATURES, type WordTags } from './lemma-features.ts';
import { applyRule, type LemmaRule } from './lemma-rule.ts';
import { RuleIndex } from './rule-index.ts';

/** Which lemmas words were seen to have. */
export interface KnownLemmas {
  /** @param key of a lemma beside a universal tag */
  has(key: number, form: string): boolean;
}

/** What a rule makes of a form is a known lemma, or is not: features of the rule, and of any. */
const KNOWN = 1;
const UNKNOWN = 2;
const ANY_RULE = -1;

/** Chooses among the rules that fit a form. */
export class RuleChooser {
  /** The features of the word at hand. */
  readonly features = new FeatureHashes(MOST_FEATURES);
  private readonly general: RuleIndex;
  private readonly mask: number;

  /** @param general so many rules, the first ones, may be chosen */
  constructor(
    private readonly rules: readonly LemmaRule[],
    general: number,
    private readonly weights: Int16Array,
    private readonly lemmas: KnownLemmas,
  ) {
    this.general = new RuleIndex(rules.slice(0, general));
    this.mask = weights.length - 1;
  }

  /** The lemma of a form by a rule; undefined where that does not fit. */
  apply(rule: number, form: string): string | undefined {
    return applyRule(this.rules[rule], form);
  }

  /** The best lemma of a word by the general rules; the form itself where none fits. */
  best(form: string, tags: WordTags): string {
    fillLemmaFeatures(this.features, form, tags);
    const rule = this.bestRule(form, tags.upos);
    return rule < 0 ? form : this.apply(rule, form)!;
  }

  /** The best of the general rules for the word at hand; −1 where none fits. */
  bestRule(form: string, upos: string): number {
    let best = -1;
    let highest = Number.NEGATIVE_INFINITY;
    for (const rule of this.general.fitting(form)) {
      const score = this.score(rule) + this.scoreOfLemma(rule, form, upos);
      if (score <= highest) continue;
      highest = score;
      best = rule;
    }
    return best;
  }

  /** The score of a rule for the word at hand. */
  private score(rule: number): number {
    const { hashes, count } = this.features;
    let sum = 0;
    for (let k = 0; k < count; k++) sum += this.weights[this.index(hashes[k], rule)];
    return sum;
  }

  private scoreOfLemma(rule: number, form: string, upos: string): number {
    const hash = this.lemmaFeature(rule, form, upos);
    return this.weights[this.index(hash, rule)] + this.weights[this.index(hash, ANY_RULE)];
  }

  /** Adds a step to all weights of a rule for the word at hand. */
  learn(weights: AveragedWeights, rule: number, form: string, upos: string, step: number): void {
    const { hashes, count } = this.features;
    for (let k = 0; k < count; k++) weights.add(this.index(hashes[k], rule), step);
    const hash = this.lemmaFeature(rule, form, upos);
    weights.add(this.index(hash, rule), step);
    weights.add(this.index(hash, ANY_RULE), step);
  }

  /** Whether what a rule makes of a form is a known lemma, as a feature. */
  private lemmaFeature(rule: number, form: string, upos: string): number {
    const key = lemmaKey(this.apply(rule, form)!, upos);
    return this.lemmas.has(key, form) ? KNOWN : UNKNOWN;
  }

  /** The index of the weight of a feature and a rule. */
  private index(hash: number, rule: number): number {
    return finish(mix(hash, rule)) & this.mask;
  }
}
