import { exponential } from '../../src/learn/exponential.ts';
import { mix } from '../../src/learn/hashing.ts';
import type { TextLayout } from '../annotator.ts';
import { SegmentEnds } from './segments/segmenter.ts';
import { fillSentenceFeatures, OpenMarks } from './sentence-features.ts';
import { applyRule, fillSplitFeatures } from './split-rules.ts';
import { formOf, isOneCharacter } from './text/characters.ts';
import { lineBreaksIn, MARGIN } from './text/pieces.ts';
import { PAD, Units } from './text/units.ts';
import { hashOf, TokenFeatures } from './token-features.ts';
import { EMPTY_HASH, FeatureList, FIELDS, Field, TOKEN_PAD, TokenList } from './token-list.ts';
import { byQuestion, knownEnd, type Question, type TokenizerModel } from './tokenizer-model.ts';

/** Temperature of the sigmoid: odds of e : 1 for a score of this size; chosen on UD Hungarian Szeged dev. */
const TEMPERATURE = 8192;

/** Tokenizes a text piece by piece: finds token ends, sentence ends, and the words of multiword tokens. */
export class PieceTokenizer {
  readonly units = new Units();
  readonly tokens = new TokenList();
  /** End (exclusive) of the tokens that further text cannot change. */
  settledEnd = TOKEN_PAD;
  private readonly open = new OpenMarks();
  private readonly lists: Readonly<Record<Question, FeatureList>>;
  private readonly tokenFeatures: TokenFeatures;
  private readonly segments: SegmentEnds | undefined;
  /** Probabilities of the decisions: whether a token ends after each unit, and a sentence after each token. */
  private readonly certainties: { readonly units: number[]; readonly tokens: number[] } | undefined;
  /** The network's log-odds that a sentence ends with each token of the piece, the first at 1; without a network: empty. */
  private endOdds: Float64Array = new Float64Array(0);
  private rule = -1;
  private ruleScore = 0;
  private token = 0;

  constructor(
    private readonly model: TokenizerModel,
    private readonly layout: TextLayout,
    confidence = false,
  ) {
    if (confidence) this.certainties = { units: [], tokens: [] };
    const { weights, words, segmentation } = model;
    this.lists = byQuestion((question) => new FeatureList(weights[question].length));
    this.tokenFeatures = new TokenFeatures(words, model.readsAddresses);
    if (segmentation !== undefined)
      this.segments = new SegmentEnds(segmentation, model, this.lists.tokens, weights.tokens);
  }

  /** Finds the tokens of a piece. If it is not whole, the tokens in its margin are context only (see `settledEnd`). */
  read(text: string, isWhole: boolean): void {
    const { units, tokens } = this;
    const normalized = this.model.normalization.text(text);
    units.read(normalized.text, normalized.starts);
    for (const certainties of Object.values(this.certainties ?? {})) certainties.length = 0;
    if (this.layout !== 'tokens') this.segments?.read(units, this.certainties?.units, TEMPERATURE);
    tokens.clear();
    let start = -1;
    let hash = EMPTY_HASH;
    for (let i = PAD; i < units.end; i++) {
      const isBlank = units.isBlank(i);
      if (start < 0) {
        if (isBlank) continue;
        start = i;
        hash = EMPTY_HASH;
      }
      hash = mix(hash, units.lowers[i]);
      // The rest of a token longer than half a piece is another token, so that every character is read twice at most.
      if (!isWhole && this.isLong(start, i + 1, text.length)) break;
      if (isBlank || !this.endsToken(text, i, start, hash, isWhole)) continue;
      tokens.add(units, start, i + 1, hash);
      start = -1;
    }
    if (start >= 0 && this.isLong(start, units.end, text.length))
      this.addCutToken(start, text.length - MARGIN);
    tokens.finish((lower) => this.model.words.caseOf(lower));
    const { network } = this.model;
    if (network !== undefined && this.layout === 'text') this.endOdds = network.logOdds(this.formsIn(text));
    this.settledEnd = isWhole ? tokens.end : this.tokensBefore(text.length - MARGIN);
  }

  /** Whether the sentence that starts at token `start` ends after token t, which is not the last. */
  endsSentence(t: number, start: number): boolean {
    const { tokens } = this;
    if (t === start) this.open.clear();
    this.open.add(tokens.data[t * FIELDS + Field.effect]);
    if (this.layout !== 'text') return false;
    const list = this.lists.sentences;
    fillSentenceFeatures(list, tokens, t, start, this.open);
    const score = list.score(this.model.weights.sentences);
    const ofNetwork = TEMPERATURE * (this.endOdds[t - TOKEN_PAD + 1] ?? 0);
    return decided(score + ofNetwork, this.certainties?.tokens, t);
  }

  /** Token t as written in the text of the piece. */
  written(text: string, t: number): string {
    const { offsets } = this.units;
    return text.slice(offsets[this.tokens.startOf(t)], offsets[this.tokens.endOf(t)]);
  }

  /** The forms of the piece's tokens from index 1 on, as the treebank would have them. */
  private formsIn(text: string): string[] {
    const { normalization } = this.model;
    const forms = [''];
    for (let t = TOKEN_PAD; t < this.tokens.end; t++)
      forms.push(normalization.word(formOf(this.written(text, t))));
    return forms;
  }

  /** The probability that the boundaries of token t are right, and whether its sentence ends with it. */
  confidenceOf(t: number): number | undefined {
    if (this.certainties === undefined) return undefined;
    const { tokens, segments } = this;
    const { units, tokens: ofTokens } = this.certainties;
    const end = tokens.endOf(t);
    let confidence = ofTokens[t] ?? 1;
    const first = segments === undefined && t > TOKEN_PAD ? tokens.endOf(t - 1) - 1 : tokens.startOf(t);
    for (let i = first; i < end; i++) confidence *= units[i] ?? 1;
    return confidence;
  }

  /** The words of a token; undefined if it is one word. */
  wordsOf(t: number, form: string): string[] | undefined {
    this.token = t;
    this.rule = -1;
    this.ruleScore = 0;
    const { splits } = this.model;
    splits.forEach(this.units, this.tokens.startOf(t), this.tokens.endOf(t), this.tryRule);
    if (this.rule < 0) return undefined;
    const { text, starts } = this.model.normalization.text(form);
    // Typographic marks stay in the words; letters of several characters and invisible ones do not.
    return applyRule(splits.rules[this.rule], starts === undefined ? form : text);
  }

  private readonly tryRule = (rule: number, stem: number): void => {
    const { splits: list } = this.lists;
    fillSplitFeatures(list, this.units, this.tokens, this.token, rule, stem, this.model.words);
    const score = list.score(this.model.weights.splits);
    if (score <= this.ruleScore) return;
    this.rule = rule;
    this.ruleScore = score;
  };

  /** Whether units start…end−1 begin in the first half of a piece of this length and end in its margin. */
  private isLong(start: number, end: number, length: number): boolean {
    const { offsets } = this.units;
    return offsets[start] < length / 2 && offsets[end] > length - MARGIN;
  }

  private endsToken(text: string, i: number, start: number, hash: number, isWhole: boolean): boolean {
    const { units, model } = this;
    if (i + 1 >= units.end) return isWhole;
    if (this.layout === 'tokens') return this.endsLine(text, i, isWhole);
    if (this.segments !== undefined) return this.segments.has(i);
    const known = knownEnd(units, i, model);
    if (known !== undefined) return known;
    const list = this.lists.tokens;
    this.tokenFeatures.fill(list, units, i, start, hash);
    return decided(list.score(model.weights.tokens), this.certainties?.units, i);
  }

  private endsLine(text: string, i: number, isWhole: boolean): boolean {
    const { units } = this;
    if (!units.isBlank(i + 1)) return false;
    if (i + 2 >= units.end) return isWhole;
    return lineBreaksIn(text.slice(units.offsets[i + 1], units.offsets[i + 2])) > 0;
  }

  /** End (exclusive) of the tokens that end before an offset; at least one token. */
  private tokensBefore(offset: number): number {
    const { tokens, units } = this;
    let end = tokens.end;
    while (end > TOKEN_PAD + 1 && units.offsets[tokens.endOf(end - 1)] > offset) end--;
    return end;
  }

  /** Adds a token whose end is not in the piece, cut before an offset but not inside a visible character. */
  private addCutToken(start: number, offset: number): void {
    const { units, tokens } = this;
    let end = units.end;
    while (end > start + 1 && units.offsets[end] > offset) end--;
    const whole = end;
    while (end > start + 1 && isOneCharacter(units.codes[end - 1], units.codes[end])) end--;
    if (end === start + 1) end = whole;
    tokens.add(units, start, end, hashOf(units.lowers, start, end));
  }
}

/** Whether a score is positive; writes the probability of this answer to `certainties`. */
function decided(score: number, certainties: number[] | undefined, place: number): boolean {
  if (certainties !== undefined) certainties[place] = 1 / (1 + exponential(-Math.abs(score) / TEMPERATURE));
  return score > 0;
}
