import { type EncodedColumn, type EncodedSentence, valueAt } from '../../src/encoding/columns.ts';
import { finish, mix } from '../../src/learn/hashing.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import type { Example } from '../../src/training/examples.ts';
import type { ArcEstimate, ArcReasons, BigramModel, BigramSettings } from './bigram-model.ts';
import { valuesMatching } from './bigram-model.ts';
import { KeyedNumbers } from './counts.ts';
import type { Phases } from './training/held-out.ts';

/** Kinds of counts, the first part of their keys. */
const Kind = { form: -1, tag: -2, forms: -3, tags: -4, valency: -5 } as const;

/** A tag takes one dependent (as prepositions do) if this share of its tokens has exactly one. */
const TAKES_ONE = 0.9;
/** For pairs that were never seen, with a lambda of 1. */
const SMALLEST_SHARE = 1e-9;

/** The columns that the estimate reads, by number, and properties of their values. */
export interface ZemanColumns {
  readonly form: number;
  readonly lemma: number;
  /** The columns that make up a word's tag, the coarse one first. */
  readonly tag: readonly number[];
  /** The form of a comma. */
  readonly comma: number;
  /** By coarse tag. */
  readonly isVerb: Uint8Array;
}

/** As in Zeman's parser, tags include morphological features, and tags of verbs begin with V. */
export function zemanColumns({ numbering: { encoder }, settings }: BigramModel): ZemanColumns {
  const column = (name: EncodedColumn) => encoder.names.indexOf(name);
  const form = column('form');
  return {
    form,
    lemma: column('lemma'),
    tag: [...settings.tags, 'feats' as const].map(column),
    // −1, which no token has, if the treebank has no comma.
    comma: encoder.vocabulary(form).idOf(',') || -1,
    isVerb: valuesMatching(encoder, settings.tags[0], /^(V|ADI)/i),
  };
}

export const ZEMAN_PHASES = 1;

/**
 * The estimate of the DZ parser (Zeman 1998; Zeman 2009, ICON, section 2.3). It interpolates, with a fixed weight,
 * relative frequencies of pairs of forms and of pairs of tags (plus pairs of a verb's lemma and a dependent's tag),
 * and divides by the distance. Arcs are counted separately to the left, to the right, and under the root in
 * sentences with and without a verb; and for neighbours, other pairs, and pairs with a comma in between.
 */
export class ZemanEstimate implements ArcEstimate {
  readonly takesOne: Uint8Array;
  private readonly lambda: number;
  /** By token of the current sentence: the hash of its tag columns. */
  private tags = new Int32Array(0);

  constructor(
    private readonly columns: ZemanColumns,
    { lambda, maxLength }: BigramSettings,
    private readonly counts: KeyedNumbers,
    /** By coarse tag: 1 if its tokens should have one dependent. */
    private readonly takingOne: Uint8Array,
  ) {
    this.lambda = lambda;
    this.takesOne = new Uint8Array(maxLength + 1);
  }

  static async learn(
    columns: ZemanColumns,
    settings: BigramSettings,
    examples: readonly Example[],
    phases: Phases,
  ): Promise<ZemanEstimate> {
    await phases.begin();
    const takingOne = tagsTakingOne(columns, examples);
    const estimate = new ZemanEstimate(columns, settings, new KeyedNumbers(2), takingOne);
    await phases.forEach(examples, (example) => estimate.count(example));
    estimate.counts.trim();
    return estimate;
  }

  static load(columns: ZemanColumns, settings: BigramSettings, file: ModelReader): ZemanEstimate {
    const counts = KeyedNumbers.load(file, 'zeman.counts', 0);
    const takingOne = file.section('zeman.takingOne', 'uint8', { length: columns.isVerb.length, most: 1 });
    return new ZemanEstimate(columns, settings, counts, takingOne);
  }

  save(file: ModelWriter): void {
    file.section('zeman.counts', this.counts.rows);
    file.section('zeman.takingOne', this.takingOne);
  }

  score(sentence: EncodedSentence, scores: Float32Array): void {
    const { length } = sentence;
    this.prepare(sentence);
    for (let d = 1; d <= length; d++) {
      this.scoreSide(sentence, d, -1, scores);
      this.scoreSide(sentence, d, 1, scores);
    }
  }

  private scoreSide(sentence: EncodedSentence, d: number, step: 1 | -1, scores: Float32Array): void {
    const { length } = sentence;
    const formCount = this.countOf(mix(Kind.form, valueAt(sentence, this.columns.form, d)));
    const tagCount = this.countOf(mix(Kind.tag, this.tags[d]));
    const walk = new Walk(this.columns, sentence, d, step);
    for (; walk.h >= 0 && walk.h <= length; walk.next()) {
      const { h, arc } = walk;
      const forms = this.countOf(this.formsKey(sentence, h, d, arc));
      const tags = this.countOf(this.tagsKey(h, d, arc));
      const valency = this.isVerb(sentence, h) ? this.countOf(this.valencyKey(sentence, h, d)) : 0;
      const share = this.share(forms, formCount, tags + valency, tagCount);
      scores[h * (length + 1) + d] = Math.log(share / Math.abs(h - d));
    }
  }

  reasons(sentence: EncodedSentence, d: number): ArcReasons {
    this.prepare(sentence);
    return { counts: (head) => this.countsOf(sentence, head, d) };
  }

  private countsOf(sentence: EncodedSentence, h: number, d: number) {
    const walk = new Walk(this.columns, sentence, d, h < d ? -1 : 1);
    while (walk.h !== h) walk.next();
    const form = this.countOf(mix(Kind.form, valueAt(sentence, this.columns.form, d)));
    const tag = this.countOf(mix(Kind.tag, this.tags[d]));
    const forms = this.countOf(this.formsKey(sentence, h, d, walk.arc));
    const tags = this.countOf(this.tagsKey(h, d, walk.arc));
    const valency = this.isVerb(sentence, h) ? this.countOf(this.valencyKey(sentence, h, d)) : 0;
    const distance = Math.abs(h - d);
    const probability = this.share(forms, form, tags + valency, tag) / distance;
    return { head: h, forms, form, tags, valency, tag, distance, probability };
  }

  private share(forms: number, formCount: number, tags: number, tagCount: number): number {
    const byForm = formCount === 0 ? 0 : (this.lambda * forms) / formCount;
    const share = byForm + ((1 - this.lambda) * (tags + 1)) / (tagCount + 1);
    return Math.max(share, SMALLEST_SHARE);
  }

  private count(example: Example): void {
    this.prepare(example);
    for (let d = 1; d <= example.length; d++) {
      const h = example.heads[d];
      const walk = new Walk(this.columns, example, d, h < d ? -1 : 1);
      while (walk.h !== h) walk.next();
      this.add(mix(Kind.form, valueAt(example, this.columns.form, d)));
      this.add(mix(Kind.tag, this.tags[d]));
      this.add(this.formsKey(example, h, d, walk.arc));
      this.add(this.tagsKey(h, d, walk.arc));
      if (this.isVerb(example, h)) this.add(this.valencyKey(example, h, d));
    }
  }

  private prepare(sentence: EncodedSentence): void {
    const { length } = sentence;
    if (this.tags.length <= length) this.tags = new Int32Array(2 * length + 1);
    for (let i = 0; i <= length; i++) {
      this.tags[i] = this.columns.tag.reduce((hash, c) => mix(hash, valueAt(sentence, c, i)), 0);
      if (i < this.takesOne.length)
        this.takesOne[i] = this.takingOne[valueAt(sentence, this.columns.tag[0], i)];
    }
  }

  private isVerb(sentence: EncodedSentence, i: number): boolean {
    return this.columns.isVerb[valueAt(sentence, this.columns.tag[0], i)] === 1;
  }

  private formsKey(sentence: EncodedSentence, h: number, d: number, arc: number): number {
    const { form } = this.columns;
    return mix(mix(mix(Kind.forms, arc), valueAt(sentence, form, h)), valueAt(sentence, form, d));
  }

  private tagsKey(h: number, d: number, arc: number): number {
    return mix(mix(mix(Kind.tags, arc), this.tags[h]), this.tags[d]);
  }

  private valencyKey(sentence: EncodedSentence, h: number, d: number): number {
    return mix(mix(Kind.valency, valueAt(sentence, this.columns.lemma, h)), this.tags[d]);
  }

  private countOf(hash: number): number {
    return this.counts.numberOf(finish(hash) || 1);
  }

  private add(hash: number): void {
    this.counts.raise(finish(hash) || 1, 1);
  }
}

/** A walk from a token over its possible heads on one side, nearest first. */
class Walk {
  h: number;
  private hasPassedComma = false;
  private readonly hasVerb: boolean = false;

  constructor(
    private readonly columns: ZemanColumns,
    private readonly sentence: EncodedSentence,
    private readonly d: number,
    private readonly step: 1 | -1,
  ) {
    this.h = d + step;
    const { tag, isVerb } = columns;
    for (let i = 1; i <= sentence.length && !this.hasVerb; i++)
      this.hasVerb = isVerb[valueAt(sentence, tag[0], i)] === 1;
  }

  next(): void {
    if (valueAt(this.sentence, this.columns.form, this.h) === this.columns.comma) this.hasPassedComma = true;
    this.h += this.step;
  }

  /** The kind of arc from h, as a number: its direction (under the root: whether there is a verb) and distance. */
  get arc(): number {
    const { h, d } = this;
    const distance = this.hasPassedComma ? 2 : Math.abs(h - d) === 1 ? 0 : 1;
    return 4 * distance + (h === 0 ? (this.hasVerb ? 0 : 1) : h < d ? 2 : 3);
  }
}

/** Returns 1 for the coarse tags whose tokens mostly have exactly one dependent. */
function tagsTakingOne({ tag, isVerb }: ZemanColumns, examples: readonly Example[]): Uint8Array {
  const tokens = new Int32Array(isVerb.length);
  const withOne = new Int32Array(isVerb.length);
  for (const example of examples) {
    const dependents = new Int32Array(example.length + 1);
    for (let d = 1; d <= example.length; d++) dependents[example.heads[d]]++;
    for (let i = 1; i <= example.length; i++) {
      tokens[valueAt(example, tag[0], i)]++;
      if (dependents[i] === 1) withOne[valueAt(example, tag[0], i)]++;
    }
  }
  return Uint8Array.from(tokens, (count, t) => (count > 0 && withOne[t] >= TAKES_ONE * count ? 1 : 0));
}
