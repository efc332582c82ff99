import { detached } from '../../../src/encoding/vocabulary.ts';
import { InputError } from '../../../src/errors.ts';
import { columnOf, type Treebank } from '../../../src/treebank/sentence.ts';
import { HashIndex } from '../../features/hash-index.ts';
import { lemmaKey, seenAsKey, seenKey, type WordTags } from '../lemma-features.ts';
import { applyRule, type LemmaRule, ruleOf, ruleText } from '../lemma-rule.ts';
import type { LemmatizerModel } from '../lemmatizer.ts';
import type { KnownLemmas } from '../rule-chooser.ts';

/** A form with its tags and the rule of its lemma, and how often that occurs. */
export interface Lesson {
  readonly form: string;
  readonly tags: WordTags;
  readonly rule: number;
  count: number;
}

export interface TrainingData {
  readonly lessons: readonly Lesson[];
  readonly knowledge: Omit<LemmatizerModel, 'weights'>;
  /** The lemmas known from other forms than the one at hand: its own is to be found, and would be known from itself. */
  readonly lemmasOfOthers: KnownLemmas;
}

/**
 * Reads the lemmas of a treebank: the rules by which they come about, the dictionary, and the different words.
 *
 * @throws InputError where there are none
 */
export async function readTrainingData(treebank: Treebank, cutoff: number): Promise<TrainingData> {
  const words = await readWords(treebank);
  if (words.length === 0) throw new InputError('no lemmas to learn from', { file: treebank.name });
  const numbers = numberByFrequency(words);
  const rare = numbers.rules.findIndex((rule) => rule.words < cutoff);
  const general = rare < 0 ? numbers.rules.length : rare;
  const lessons = words.map((word) => ({ ...word, rule: numbers.numberOf.get(ruleText(word.rule))! }));
  const rules = numbers.rules.map(({ rule }) => rule);
  const formsOf = formsOfLemmas(lessons, rules);
  const lemmas = HashIndex.of(Int32Array.from(formsOf.keys()));
  const lemmasOfOthers = {
    has: (key: number, form: string) => {
      const forms = formsOf.get(key);
      return forms !== undefined && (forms.size > 1 || !forms.has(form.toLowerCase()));
    },
  };
  return { lessons, knowledge: { rules, general, lemmas, ...dictionaryOf(lessons) }, lemmasOfOthers };
}

interface SeenWord extends Omit<Lesson, 'rule'> {
  readonly rule: LemmaRule;
}

/** The different words in the order of their first appearance. A lemma `_` says nothing, but of a form that is one. */
async function readWords(treebank: Treebank): Promise<SeenWord[]> {
  const words = new Map<string, SeenWord>();
  for await (const sentence of treebank) {
    const [forms, lemmas, upos, xpos, feats] = (['forms', 'lemmas', 'upos', 'xpos', 'feats'] as const).map(
      (name) => columnOf(sentence, name),
    );
    for (let i = 1; i <= sentence.length; i++) {
      if (lemmas[i] === '_' && forms[i] !== '_') continue;
      const key = [forms[i], lemmas[i], upos[i], xpos[i], feats[i]].join('\t');
      const known = words.get(key);
      if (known !== undefined) {
        known.count++;
        continue;
      }
      const tags = { upos: detached(upos[i]), xpos: detached(xpos[i]), feats: detached(feats[i]) };
      const form = detached(forms[i]);
      words.set(detached(key), { form, tags, rule: ruleOf(form, detached(lemmas[i])), count: 1 });
    }
  }
  return [...words.values()];
}

/** Numbers the rules, those that most different words follow first; of equals the first seen. */
function numberByFrequency(words: readonly SeenWord[]) {
  const byText = new Map<string, { readonly rule: LemmaRule; words: number }>();
  for (const { rule } of words) {
    const text = ruleText(rule);
    const known = byText.get(text);
    if (known === undefined) byText.set(text, { rule, words: 1 });
    else known.words++;
  }
  const sorted = [...byText].sort(([, a], [, b]) => b.words - a.words);
  return {
    rules: sorted.map(([, entry]) => entry),
    numberOf: new Map(sorted.map(([text], number) => [text, number])),
  };
}

/** Of each lemma beside a universal tag the forms that have it. */
function formsOfLemmas(lessons: readonly Lesson[], rules: readonly LemmaRule[]): Map<number, Set<string>> {
  const formsOf = new Map<number, Set<string>>();
  for (const { form, tags, rule } of lessons) {
    const key = lemmaKey(applyRule(rules[rule], form) ?? form, tags.upos);
    const forms = formsOf.get(key) ?? formsOf.set(key, new Set()).get(key)!;
    forms.add(form.toLowerCase());
  }
  return formsOf;
}

/** Of each word with its tags, and with its universal tag, the rule of its most frequent lemma. */
function dictionaryOf(lessons: readonly Lesson[]): Pick<LemmatizerModel, 'seen' | 'ruleOfSeen'> {
  const seen = new HashIndex();
  const counts: Map<number, number>[] = [];
  for (const { form, tags, rule, count } of lessons) {
    for (const key of [seenKey(form, tags), seenAsKey(form, tags.upos)]) {
      const entry = seen.add(key);
      counts[entry] ??= new Map();
      counts[entry].set(rule, (counts[entry].get(rule) ?? 0) + count);
    }
  }
  const ruleOfSeen = Int32Array.from(counts, (rules) => {
    const highest = Math.max(...rules.values());
    return [...rules].find(([, count]) => count === highest)![0];
  });
  return { seen, ruleOfSeen };
}
