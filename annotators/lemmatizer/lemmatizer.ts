import type { Calibration } from '../../src/learn/calibration.ts';
import { joinStrings, splitStrings } from '../../src/model/layout.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import { detached } from '../../src/platform/platform.ts';
import { morphologyColumns } from '../../src/treebank/columns/names.ts';
import { columnOf, type Sentence } from '../../src/treebank/sentence.ts';
import type { Annotation, ColumnAnnotator } from '../annotator.ts';
import { HashIndex, NONE } from '../hash-index.ts';
import { type LemmaRule, ruleFrom, ruleText } from './lemma-rule.ts';
import { formTagsKey, formUposKey, RuleChooser } from './rule-chooser.ts';

export interface LemmatizerModel {
  readonly rules: readonly LemmaRule[];
  /** Number of leading rules that are candidates for unknown words; the others serve the dictionary alone. */
  readonly general: number;
  /** The dictionary: keys of words seen in training (`formTagsKey`, `formUposKey`), and the rule of each. */
  readonly seen: HashIndex;
  readonly ruleOfSeen: Int32Array;
  /** Keys of the lemmas seen in training (see `lemmaKey`). */
  readonly lemmas: HashIndex;
  readonly weights: Int16Array;
}

/** Ranges of raw confidences (UD Hungarian): words found with all tags, with UPOS alone, not at all. */
const KNOWN_WITH_TAGS = [0.98, 1] as const;
const KNOWN_WITH_UPOS = [0.9, 1] as const;
const UNKNOWN = [0, 0.97] as const;
/** Maximum number of cached lemmas: enough for a treebank, and a bound for endless text. */
const MOST_CACHED = 1 << 14;

/** Lemmatizer with a dictionary, looked up with all tags and then with UPOS alone, and edit-tree rules for other words. */
export class EditTreeLemmatizer implements ColumnAnnotator {
  readonly task = 'lemmatizer';
  readonly reads = morphologyColumns;
  readonly writes = ['lemmas'] as const;
  calibration?: Calibration | undefined;
  private readonly chooser: RuleChooser;
  private readonly cache = new Map<string, string>();

  constructor(private readonly model: LemmatizerModel) {
    const lemmas = { has: (key: number) => model.lemmas.numberOf(key) !== NONE };
    this.chooser = new RuleChooser(model.rules, model.general, model.weights, lemmas);
  }

  /** Throws `InputError` if the sections of the model do not fit together. */
  static load(model: ModelReader): EditTreeLemmatizer {
    const rules = splitStrings(model.section('lemmatizer.rules', 'uint8')).map(
      (text) => ruleFrom(text) ?? model.refuse('damaged: section lemmatizer.rules holds an invalid rule'),
    );
    const general = model.fields('lemmatizer').integer('general', 0, rules.length);
    const seen = HashIndex.of(model.section('lemmatizer.seen', 'int32'));
    const ruleOfSeen = model.section('lemmatizer.dictionary', 'int32');
    if (ruleOfSeen.length !== seen.size || ruleOfSeen.some((rule) => rule < 0 || rule >= rules.length))
      model.refuse('damaged: section lemmatizer.dictionary does not give every word a valid rule');
    const lemmas = HashIndex.of(model.section('lemmatizer.lemmas', 'int32'));
    const weights = model.section('lemmatizer.weights', 'int16', { isHashed: true });
    return new EditTreeLemmatizer({ rules, general, seen, ruleOfSeen, lemmas, weights });
  }

  save(model: ModelWriter): void {
    const { rules, general, seen, ruleOfSeen, lemmas, weights } = this.model;
    model.header.lemmatizer = { general };
    model.section('lemmatizer.rules', joinStrings(rules.map(ruleText)));
    model.section('lemmatizer.seen', seen.hashes());
    model.section('lemmatizer.dictionary', ruleOfSeen);
    model.section('lemmatizer.lemmas', lemmas.hashes());
    model.section('lemmatizer.weights', weights);
  }

  annotate(sentence: Sentence): Annotation {
    const [forms, upos, xpos, feats] = (['forms', ...morphologyColumns] as const).map((name) =>
      columnOf(sentence, name),
    );
    const lemmas = [''];
    for (let i = 1; i <= sentence.length; i++) lemmas.push(this.lemma(forms[i], upos[i], xpos[i], feats[i]));
    return { lemmas };
  }

  /** The softmax probability of each lemma, mapped to the range of its source (dictionary or rules). */
  confidences(sentence: Sentence): Float64Array {
    const lemmas = this.annotate(sentence).lemmas!;
    const confidences = new Float64Array(sentence.length + 1);
    for (let i = 1; i <= sentence.length; i++) {
      const [upos, xpos, feats] = morphologyColumns.map((name) => columnOf(sentence, name)[i]);
      const form = sentence.forms[i];
      const tags = { upos, xpos, feats };
      const isSeen = this.fromDictionary(formTagsKey(form, tags), form) !== undefined;
      const isSeenWithUpos = this.fromDictionary(formUposKey(form, upos), form) !== undefined;
      const [least, most] = isSeen ? KNOWN_WITH_TAGS : isSeenWithUpos ? KNOWN_WITH_UPOS : UNKNOWN;
      confidences[i] = least + (most - least) * this.chooser.probability(form, tags, lemmas[i]);
    }
    this.calibration?.apply(confidences);
    return confidences;
  }

  private lemma(form: string, upos: string, xpos: string, feats: string): string {
    const key = `${form}\t${upos}\t${xpos}\t${feats}`;
    const cached = this.cache.get(key);
    if (cached !== undefined) return cached;
    const tags = { upos, xpos, feats };
    const lemma =
      this.fromDictionary(formTagsKey(form, tags), form) ??
      this.fromDictionary(formUposKey(form, upos), form) ??
      this.chooser.best(form, tags);
    if (this.cache.size === MOST_CACHED) this.cache.clear();
    this.cache.set(detached(key), detached(lemma));
    return lemma;
  }

  private fromDictionary(key: number, form: string): string | undefined {
    const entry = this.model.seen.numberOf(key);
    return entry === NONE ? undefined : this.chooser.apply(this.model.ruleOfSeen[entry], form);
  }
}
