import { exponential } from '../../src/learn/exponential.ts';
import { finish, mix } from '../../src/learn/hashing.ts';
import type { AveragedWeights } from '../../src/learn/linear/weights.ts';
import { beginningHashes, endingHashes, FeatureHashes, textHash } from '../hashed-features.ts';
import type { Casing, EditTree, LemmaRule } from './lemma-rule.ts';
import { applyRule, applyTree, casingNames, casings } from './lemma-rule.ts';

/** Finds the rules that fit a form by its ending, so that only a few need to be tried. */
export class RuleIndex {
  private readonly byEnding = new Map<
    Casing,
    Map<string, { readonly number: number; readonly tree: EditTree }[]>
  >(casingNames.map((casing) => [casing, new Map()]));
  /** Lengths of the endings. */
  private readonly lengths = new Set<number>();

  constructor(rules: readonly LemmaRule[]) {
    for (const [number, { casing, tree }] of rules.entries()) {
      const ending = endingOf(tree);
      const byEnding = this.byEnding.get(casing)!;
      (byEnding.get(ending) ?? byEnding.set(ending, []).get(ending)!).push({ number, tree });
      this.lengths.add(ending.length);
    }
  }

  /** The numbers of the rules that fit a form and give a lemma that is not empty, ascending. */
  fitting(form: string): number[] {
    const found: number[] = [];
    for (const [casing, byEnding] of this.byEnding) {
      const text = casings[casing](form);
      for (const length of this.lengths) {
        if (length > text.length) continue;
        for (const { number, tree } of byEnding.get(text.slice(text.length - length)) ?? [])
          if (applyTree(tree, text)) found.push(number);
      }
    }
    return found.sort((a, b) => a - b);
  }
}

/** The ending that a form needs for the tree to fit. */
const endingOf = (tree: EditTree): string => ('from' in tree ? tree.from : endingOf(tree.right));

/** The lemmas known from the training data. */
export interface KnownLemmas {
  /** @param key see `lemmaKey` */
  has(key: number, form: string): boolean;
}

/** Features: whether a rule's lemma is known. Each has a weight per rule and one for all (`ANY_RULE`). */
const KNOWN = 1;
const UNKNOWN = 2;
const ANY_RULE = -1;
/** Temperature of the softmax over scores, chosen on UD Hungarian Szeged dev. */
const TEMPERATURE = 8192;

/** Scores the rules that fit a form by a linear model, and chooses the best. */
export class RuleChooser {
  readonly features = new FeatureHashes(MOST_FEATURES);
  private readonly general: RuleIndex;
  private readonly mask: number;

  /** @param general number of leading rules that are candidates */
  constructor(
    private readonly rules: readonly LemmaRule[],
    general: number,
    private readonly weights: Int16Array,
    private readonly lemmas: KnownLemmas,
  ) {
    this.general = new RuleIndex(rules.slice(0, general));
    this.mask = weights.length - 1;
  }

  /** The lemma of a form by a rule; undefined if the rule does not fit. */
  apply(rule: number, form: string): string | undefined {
    return applyRule(this.rules[rule], form);
  }

  /** The best lemma of a word by the candidate rules; the form itself if none fits. */
  best(form: string, tags: WordTags): string {
    fillLemmaFeatures(this.features, form, tags);
    const rule = this.bestRule(form, tags.upos);
    return rule < 0 ? form : this.apply(rule, form)!;
  }

  /** The best candidate rule for the current word; −1 if none fits. */
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

  /** The probability of a lemma: the softmax over the candidate rules, summed over the rules that give this lemma. */
  probability(form: string, tags: WordTags, lemma: string): number {
    fillLemmaFeatures(this.features, form, tags);
    let [all, own] = [0, 0];
    for (const rule of this.general.fitting(form)) {
      const share = exponential((this.score(rule) + this.scoreOfLemma(rule, form, tags.upos)) / TEMPERATURE);
      all += share;
      if (this.apply(rule, form) === lemma) own += share;
    }
    return all === 0 ? 0 : own / all;
  }

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

  /** Adds `step` to the weights of a rule for the current word. */
  learn(weights: AveragedWeights, rule: number, form: string, upos: string, step: number): void {
    const { hashes, count } = this.features;
    for (let k = 0; k < count; k++) weights.add(this.index(hashes[k], rule), step);
    const hash = this.lemmaFeature(rule, form, upos);
    weights.add(this.index(hash, rule), step);
    weights.add(this.index(hash, ANY_RULE), step);
  }

  private lemmaFeature(rule: number, form: string, upos: string): number {
    const key = lemmaKey(this.apply(rule, form)!, upos);
    return this.lemmas.has(key, form) ? KNOWN : UNKNOWN;
  }

  private index(hash: number, rule: number): number {
    return finish(mix(hash, rule)) & this.mask;
  }
}

export type WordTags = { readonly upos: string; readonly xpos: string; readonly feats: string };
const ENDINGS = 8;
const BEGINNINGS = 4;
const MOST_FEATURES = 64;
const LONG = 8;
/** Reused for every word; nothing here is asynchronous. */
const affixes = new Int32Array(ENDINGS + BEGINNINGS);

/** Fills in the features of a word: form, affixes and casing, alone and with its tags. */
export function fillLemmaFeatures(list: FeatureHashes, form: string, tags: WordTags): void {
  const lower = form.toLowerCase();
  const upos = textHash(tags.upos);
  const all = allTags(tags);
  const casing = casingOf(form, lower);
  list.clear();
  list.add(1, 0);
  list.add(2, upos);
  list.add(3, all);
  list.add(4, textHash(lower), upos);
  list.add(5, casing, upos);
  list.add(6, Math.min(form.length, LONG), all);
  list.add(7, casing, all);
  endingHashes(lower, ENDINGS, affixes, 0);
  beginningHashes(lower, BEGINNINGS, affixes, ENDINGS);
  for (let k = 0; k < affixes.length; k++) {
    if (affixes[k] === 0) continue;
    list.add(10 + 3 * k, affixes[k]);
    list.add(11 + 3 * k, affixes[k], upos);
    list.add(12 + 3 * k, affixes[k], all);
  }
}

const allTags = ({ upos, xpos, feats }: WordTags): number =>
  finish(mix(mix(textHash(upos), textHash(xpos)), textHash(feats)));

/** 0 lower case, 1 capitalized, 2 upper case, 3 mixed. */
function casingOf(form: string, lower: string): number {
  if (form === lower) return 0;
  if (form.slice(1) === lower.slice(1)) return 1;
  return form === form.toUpperCase() ? 2 : 3;
}

/** The dictionary key of a word with all of its tags. */
export const formTagsKey = (form: string, tags: WordTags): number =>
  finish(mix(textHash(form), allTags(tags)));

/** The dictionary key of a word with its UPOS tag alone. */
export const formUposKey = (form: string, upos: string): number =>
  finish(mix(mix(textHash(form), textHash(upos)), 1));

/** The key of a lemma with a UPOS tag in the set of known lemmas. */
export const lemmaKey = (lemma: string, upos: string): number =>
  finish(mix(mix(textHash(lemma), textHash(upos)), 2));
