import { mix } from '../../src/learn/hashing.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import { folded, isLetter, isUpper, kindOf } from './text/characters.ts';
import type { Units } from './text/units.ts';
import { hashOf } from './token-features.ts';
import { EMPTY_HASH, type FeatureList, FIELDS, Field, type TokenList } from './token-list.ts';
import type { WordTable } from './word-table.ts';

/** Splits a multiword token: *du* → *de le* is `u` → `e` + `le`, *don't* → *do n't* is `n't` → `` + `n't`. */
export interface SplitRule {
  /** In lower case; not empty. */
  readonly suffix: string;
  /** The ending of the first word, then the other words; in lower case. */
  readonly parts: readonly string[];
}

/** The rule with the shortest suffix that splits a form into these words. */
export function ruleOf(form: string, words: readonly string[]): SplitRule {
  const whole = [...folded(form)];
  const [first, ...others] = words.map((word) => [...folded(word)]);
  let stem = 0;
  while (stem < whole.length - 1 && stem < first.length && whole[stem] === first[stem]) stem++;
  const parts = [first.slice(stem), ...others].map((part) => part.join(''));
  return { suffix: whole.slice(stem).join(''), parts };
}

export function applyRule({ suffix, parts }: SplitRule, form: string): string[] {
  const characters = [...form];
  const stem = characters.slice(0, characters.length - [...suffix].length);
  const rest = characters.slice(stem.length);
  if (parts.join('') === suffix) return cutRest(stem, rest, parts);
  const cased = isAllUpper(stem, rest) ? parts.map((part) => part.toUpperCase()) : [...parts];
  if (stem.length === 0 && isCapital(rest[0])) cased[0] = capitalized(cased[0]);
  return [stem.join('') + cased[0], ...cased.slice(1)];
}

/** Cuts the suffix as written into parts of the same lengths. */
function cutRest(stem: readonly string[], rest: readonly string[], parts: readonly string[]): string[] {
  let at = 0;
  const own = parts.map((part) => {
    const start = at;
    at += [...part].length;
    return rest.slice(start, at).join('');
  });
  return [stem.join('') + own[0], ...own.slice(1)];
}

function isAllUpper(stem: readonly string[], rest: readonly string[]): boolean {
  const letters = [...stem, ...rest].filter((character) => isLetter(kindOf(character.codePointAt(0)!)));
  return letters.length > 1 && letters.every(isCapital);
}

const isCapital = (character: string): boolean => isUpper(kindOf(character.codePointAt(0)!));

function capitalized(word: string): string {
  const [first = '', ...others] = word;
  return first.toUpperCase() + others.join('');
}

export class SplitRules {
  private readonly bySuffix = new Map<number, number[]>();
  private readonly longest: number;
  /** The last characters of all suffixes: rejects most tokens at once. */
  private readonly lastCharacters: ReadonlySet<number>;
  /** By rule: whether its first word is the bare stem (*don't* → *do n't*), which must not be empty. */
  private readonly needsStem: readonly boolean[];

  constructor(readonly rules: readonly SplitRule[]) {
    const suffixes = rules.map(({ suffix }) => Array.from(suffix, (one) => one.codePointAt(0)!).reverse());
    this.longest = suffixes.reduce((most, { length }) => Math.max(most, length), 0);
    this.lastCharacters = new Set(suffixes.map(([last]) => last));
    this.needsStem = rules.map(({ parts }) => parts[0] === '');
    for (const [r, suffix] of suffixes.entries()) {
      const hash = suffix.reduce(mix, EMPTY_HASH);
      const known = this.bySuffix.get(hash);
      if (known === undefined) this.bySuffix.set(hash, [r]);
      else known.push(r);
    }
  }

  static load(model: ModelReader): SplitRules {
    const rules = model
      .fields('tokenizer')
      .objects('splits')
      .map((rule) => {
        const [suffix, parts] = [rule.text('suffix'), rule.texts('parts')];
        if (suffix === '' || parts.length === 0 || parts.slice(1).includes(''))
          model.refuse('a split rule with an empty suffix or word');
        if (parts.some((part) => /[\0\t\r\n]/.test(part)))
          model.refuse('a split rule with a word that holds a tab or a line end');
        return { suffix, parts };
      });
    return new SplitRules(rules);
  }

  /** Calls back with each rule that ends a token, leaving no word empty, and the length of the stem in units. */
  forEach({ lowers }: Units, start: number, end: number, onRule: (rule: number, stem: number) => void): void {
    if (!this.lastCharacters.has(lowers[end - 1])) return;
    let hash = EMPTY_HASH;
    const first = Math.max(start, end - this.longest);
    for (let i = end - 1; i >= first; i--) {
      hash = mix(hash, lowers[i]);
      for (const rule of this.bySuffix.get(hash) ?? [])
        if (i > start || !this.needsStem[rule]) onRule(rule, i - start);
    }
  }
}

const LONGEST_STEM = 6;

/** Fills in features for whether a rule splits token t after `stem` units: token, stem, neighbours. */
export function fillSplitFeatures(
  list: FeatureList,
  units: Units,
  tokens: TokenList,
  t: number,
  rule: number,
  stem: number,
  words: WordTable,
): void {
  list.clear();
  addToken(list, tokens, t, mix(1, rule));
  const { lowers } = units;
  const seed = mix(2, rule);
  const start = tokens.startOf(t);
  const left = hashOf(lowers, start, start + stem);
  const last = stem === 0 ? 0 : lowers[start + stem - 1];
  const beforeLast = stem < 2 ? 0 : lowers[start + stem - 2];
  const isKnown = words.isKnown(left) ? 1 : 0;
  const isWholeKnown = words.isKnown(tokens.data[t * FIELDS + Field.lower]) ? 1 : 0;
  list.add(mix(mix(seed, 1), left));
  list.add(mix(mix(seed, 2), last));
  list.add(mix(mix(mix(seed, 3), last), beforeLast));
  list.add(mix(mix(seed, 4), Math.min(stem, LONGEST_STEM)));
  list.add(mix(mix(seed, 5), 2 * isKnown + isWholeKnown));
}

function addToken(list: FeatureList, { data }: TokenList, t: number, seed: number): void {
  const at = t * FIELDS;
  const lower = data[at + Field.lower];
  const before = data[at - FIELDS + Field.lower];
  const next = data[at + FIELDS + Field.lower];
  list.add(seed);
  list.add(mix(mix(seed, 1), lower));
  list.add(mix(mix(seed, 2), data[at + Field.form]));
  list.add(mix(mix(seed, 3), data[at + Field.sizedShape]));
  list.add(mix(mix(seed, 4), before));
  list.add(mix(mix(seed, 5), next));
  list.add(mix(mix(mix(seed, 6), before), lower));
  list.add(mix(mix(mix(seed, 7), lower), next));
  list.add(mix(mix(seed, 8), data[at - FIELDS + Field.suffix]));
  list.add(mix(mix(seed, 9), data[at + FIELDS + Field.suffix]));
  list.add(mix(mix(seed, 10), data[at + FIELDS + Field.writtenMark]));
}
