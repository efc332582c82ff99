import { InputError } from '../../src/errors.ts';
import { scoreColumns } from '../../src/evaluate/attachment/column-counts.ts';
import { quantized } from '../../src/learn/linear/weights.ts';
import { detached } from '../../src/platform/platform.ts';
import { fingerprint } from '../../src/training/about-model.ts';
import { runEpochs } from '../../src/training/epochs.ts';
import type { NamedScores, TrainingRun } from '../../src/training/training-run.ts';
import { TrainingState } from '../../src/training/training-state.ts';
import { columnOf, type Treebank } from '../../src/treebank/sentence.ts';
import type { AnnotationTask } from '../annotator.ts';
import { HashIndex } from '../hash-index.ts';
import { applyRule, type LemmaRule, ruleOf, ruleText } from './lemma-rule.ts';
import { EditTreeLemmatizer, type LemmatizerModel } from './lemmatizer.ts';
import { type LemmatizerOptions, lemmatizerOptions } from './options.ts';
import type { KnownLemmas, WordTags } from './rule-chooser.ts';
import { fillLemmaFeatures, formTagsKey, formUposKey, lemmaKey, RuleChooser } from './rule-chooser.ts';

export const lemmatizer: AnnotationTask<LemmatizerOptions, EditTreeLemmatizer> = {
  name: 'lemmatizer',
  summary: 'Finds the lemmas of tagged words.',
  options: lemmatizerOptions,
  keepsState: () => true,
  train,
  score: scoreColumns,
  load: EditTreeLemmatizer.load,
};

async function train(
  treebank: Treebank,
  options: LemmatizerOptions,
  run: TrainingRun<NamedScores>,
): Promise<EditTreeLemmatizer> {
  const data = await readTrainingData(treebank, options.cutoff);
  const { examples } = data;
  const trainer = new Trainer(data, options.bits, fingerprint(treebank, 'lemmatizer', options, run.seed));
  const task = {
    state: trainer.state,
    epochs: options.epochs,
    total: examples.length,
    shuffle: true,
    learn: (index: number) => trainer.learn(examples[index]),
    scores: async () => ({ dev: run.dev && (await scoreColumns(trainer.trained(), run.dev, run.signal)) }),
  };
  await runEpochs(task, run);
  return trainer.trained();
}

/** Trains the choice among the rules that fit a form by the averaged perceptron. */
class Trainer {
  readonly state: TrainingState<'rules'>;
  private readonly chooser: RuleChooser;

  constructor(
    private readonly data: LemmatizerTrainingData,
    bits: number,
    fingerprint: string,
  ) {
    this.state = new TrainingState({ rules: 2 ** bits }, fingerprint);
    const { rules, general } = data.knowledge;
    this.chooser = new RuleChooser(rules, general, this.state.weights.rules.values, data.lemmasOfOthers);
  }

  trained(): EditTreeLemmatizer {
    const weights = quantized(this.state.weights.rules.mean());
    return new EditTreeLemmatizer({ ...this.data.knowledge, weights });
  }

  learn({ form, tags, rule }: WordExample): void {
    const weights = this.state.weights.rules;
    const { chooser } = this;
    if (rule < this.data.knowledge.general) {
      fillLemmaFeatures(chooser.features, form, tags);
      const found = chooser.bestRule(form, tags.upos);
      if (found !== rule) {
        chooser.learn(weights, rule, form, tags.upos, 1);
        chooser.learn(weights, found, form, tags.upos, -1);
      }
    }
    weights.examples++;
  }
}

/** A training example: a form with its tags, the rule of its lemma, and their number of occurrences. */
type WordExample = { readonly form: string; readonly tags: WordTags; readonly rule: number; count: number };

interface LemmatizerTrainingData {
  readonly examples: readonly WordExample[];
  /** The parts of the model that are counted, not trained. */
  readonly knowledge: Omit<LemmatizerModel, 'weights'>;
  /** The lemmas known from other forms, as the form being learnt always has a known lemma. */
  readonly lemmasOfOthers: KnownLemmas;
}

/** The rules of a treebank's lemmas, the dictionary, and the distinct words; throws `InputError` if none. */
async function readTrainingData(treebank: Treebank, cutoff: number): Promise<LemmatizerTrainingData> {
  const words = await readWords(treebank);
  if (words.length === 0) throw new InputError('no lemmas to learn from', { file: treebank.name });
  const numbers = numberByFrequency(words);
  const rare = numbers.rules.findIndex((rule) => rule.words < cutoff);
  const general = rare < 0 ? numbers.rules.length : rare;
  const examples = words.map((word) => ({ ...word, rule: numbers.numberOf.get(ruleText(word.rule))! }));
  const rules = numbers.rules.map(({ rule }) => rule);
  const formsOf = formsOfLemmas(examples, rules);
  const lemmas = HashIndex.of(Int32Array.from(formsOf.keys()));
  const lemmasOfOthers = {
    has: (key: number, form: string) => {
      const forms = formsOf.get(key);
      return forms !== undefined && (forms.size > 1 || !forms.has(form.toLowerCase()));
    },
  };
  return { examples, knowledge: { rules, general, lemmas, ...dictionaryOf(examples) }, lemmasOfOthers };
}

interface SeenWord extends Omit<WordExample, 'rule'> {
  readonly rule: LemmaRule;
}

/** The distinct words in order of first appearance. A lemma `_` is no lemma, except for the form `_`. */
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

/** Numbers the rules by the number of distinct words that follow them, the most first; ties by first appearance. */
function numberByFrequency(words: readonly SeenWord[]) {
  const byText = new Map<string, { readonly rule: LemmaRule; words: number }>();
  for (const { rule } of words) {
    const text = ruleText(rule);
    (byText.get(text) ?? byText.set(text, { rule, words: 0 }).get(text)!).words++;
  }
  const sorted = [...byText].sort(([, a], [, b]) => b.words - a.words);
  return {
    rules: sorted.map(([, entry]) => entry),
    numberOf: new Map(sorted.map(([text], number) => [text, number])),
  };
}

/** The lower-cased forms of each lemma with its UPOS tag. */
function formsOfLemmas(examples: readonly WordExample[], rules: readonly LemmaRule[]) {
  const formsOf = new Map<number, Set<string>>();
  for (const { form, tags, rule } of examples) {
    const key = lemmaKey(applyRule(rules[rule], form) ?? form, tags.upos);
    (formsOf.get(key) ?? formsOf.set(key, new Set()).get(key)!).add(form.toLowerCase());
  }
  return formsOf;
}

/** The rule of the most frequent lemma of each word with all tags, and with its UPOS tag alone. */
function dictionaryOf(examples: readonly WordExample[]): Pick<LemmatizerModel, 'seen' | 'ruleOfSeen'> {
  const seen = new HashIndex();
  const counts: Map<number, number>[] = [];
  for (const { form, tags, rule, count } of examples) {
    for (const key of [formTagsKey(form, tags), formUposKey(form, tags.upos)]) {
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
