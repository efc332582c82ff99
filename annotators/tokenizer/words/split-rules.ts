import { InputError } from '../../../src/errors.ts';
import { mix } from '../../../src/learn/hashing.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import { EMPTY_HASH } from '../feature-list.ts';
import { folded, isLetter, isUpper, kindOf } from '../text/characters.ts';
import type { Units } from '../text/units.ts';

/**
 * How the words of a token come out of its form: the last characters go, the first word gets an ending for
 * them, and further words follow. *du* → *de le* is `u` → `e` + `le`, *don't* → *do n't* is `n't` → `` + `n't`.
 */
export interface SplitRule {
  /** In lower case; not empty. */
  readonly suffix: string;
  /** The ending of the first word, and the other words: in lower case. */
  readonly parts: readonly string[];
}

/** The rule by which a form becomes these words: the one that takes the fewest characters away. */
export function ruleOf(form: string, words: readonly string[]): SplitRule {
  const whole = [...folded(form)];
  const [first, ...others] = words.map((word) => [...folded(word)]);
  let stem = 0;
  while (stem < whole.length - 1 && stem < first.length && whole[stem] === first[stem]) stem++;
  const parts = [first.slice(stem), ...others].map((part) => part.join(''));
  return { suffix: whole.slice(stem).join(''), parts };
}

/** The words that a rule makes of a form, in its case: what the form has itself stays as it is. */
export function applyRule({ suffix, parts }: SplitRule, form: string): string[] {
  const characters = [...form];
  const stem = characters.slice(0, characters.length - [...suffix].length);
  const rest = characters.slice(stem.length);
  if (parts.join('') === suffix) return cutRest(stem, rest, parts);
  const cased = isAllUpper(stem, rest) ? parts.map((part) => part.toUpperCase()) : [...parts];
  if (stem.length === 0 && isCapital(rest[0])) cased[0] = capitalized(cased[0]);
  return [stem.join('') + cased[0], ...cased.slice(1)];
}

/** The rest of the form, cut into parts of the same length. */
function cutRest(stem: readonly string[], rest: readonly string[], parts: readonly string[]): string[] {
  let at = 0;
  const own = parts.map((part) => {
    const start = at;
    at += [...part].length;
    return rest.slice(start, at).join('');
  });
  return [stem.join('') + own[0], ...own.slice(1)];
}

/** Whether a form is in capitals: all of its letters, and more than a first one. */
function isAllUpper(stem: readonly string[], rest: readonly string[]): boolean {
  const letters = [...stem, ...rest].filter((character) => isLetter(kindOf(character.codePointAt(0)!)));
  return letters.length > 1 && letters.every(isCapital);
}

function isCapital(character: string): boolean {
  return isUpper(kindOf(character.codePointAt(0)!));
}

function capitalized(word: string): string {
  const [first = '', ...others] = word;
  return first.toUpperCase() + others.join('');
}

/** Rules by the characters that they take away. */
export class SplitRules {
  private readonly bySuffix = new Map<number, number[]>();
  /** The most characters that a rule takes away. */
  private readonly longest: number;
  /** The last characters of suffixes: most tokens end with another one. */
  private readonly lastCharacters: ReadonlySet<number>;
  /** By rule, whether its first word is only what the suffix leaves of the form: *don't* → *do n't*. */
  private readonly needsStem: readonly boolean[];

  constructor(readonly rules: readonly SplitRule[]) {
    const suffixes = rules.map(({ suffix }) => Array.from(suffix, (one) => one.codePointAt(0)!).reverse());
    this.longest = Math.max(0, ...suffixes.map(({ length }) => length));
    this.lastCharacters = new Set(suffixes.map(([last]) => last));
    this.needsStem = rules.map(({ parts }) => parts[0] === '');
    for (const [r, suffix] of suffixes.entries()) {
      const hash = suffix.reduce(mix, EMPTY_HASH);
      this.bySuffix.set(hash, [...(this.bySuffix.get(hash) ?? []), r]);
    }
  }

  static load(model: ModelReader): SplitRules {
    const rules = model
      .fields('tokenizer')
      .objects('splits')
      .map((rule) => {
        const [suffix, parts] = [rule.text('suffix'), rule.texts('parts')];
        if (suffix === '' || parts.length === 0 || parts.slice(1).includes(''))
          throw new InputError('a split rule with an empty suffix or word', { file: model.name });
        return { suffix, parts };
      });
    return new SplitRules(rules);
  }

  save(model: ModelWriter): void {
    model.header.tokenizer = { ...(model.header.tokenizer as object), splits: this.rules };
  }

  /**
   * Calls back with each rule that applies to a token and the length of the stem, in units. A rule applies if
   * the token ends with its suffix and no word would be empty: `n't` → `` + `n't` splits *don't*, not *n't*.
   */
  forEach({ lowers }: Units, start: number, end: number, visit: (rule: number, stem: number) => void): void {
    if (!this.lastCharacters.has(lowers[end - 1])) return;
    let hash = EMPTY_HASH;
    const first = Math.max(start, end - this.longest);
    for (let i = end - 1; i >= first; i--) {
      hash = mix(hash, lowers[i]);
      for (const rule of this.bySuffix.get(hash) ?? []) {
        if (i > start || !this.needsStem[rule]) visit(rule, i - start);
      }
    }
  }
}
