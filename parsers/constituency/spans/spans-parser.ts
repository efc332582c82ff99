import { checkWhole } from '../../../src/checks.ts';
import { MOST_RANKS } from '../../../src/decode/eisner-k-best.ts';
import { chunkEnds } from '../../../src/encoding/chunks.ts';
import type { Numbering } from '../../../src/encoding/numbering.ts';
import { FIRST_ID } from '../../../src/encoding/vocabulary.ts';
import { InputError } from '../../../src/errors.ts';
import type { SpansExplanation } from '../../../src/explain/explanation.ts';
import { checkRequest, type ExplainRequest, explainedSentenceOf } from '../../../src/explain/request.ts';
import type { Calibration } from '../../../src/learn/calibration.ts';
import { exponential, logarithm } from '../../../src/learn/exponential.ts';
import { loadNetwork, type NetworkModel, saveNetwork } from '../../../src/learn/network/network-model.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import type { AnnotatedColumn } from '../../../src/treebank/columns/names.ts';
import { formatBrackets } from '../../../src/treebank/phrases/brackets.ts';
import { dependenciesOfPhrases } from '../../../src/treebank/phrases/dependencies.ts';
import { knownForms } from '../../../src/treebank/phrases/known-forms.ts';
import type { PhraseTree } from '../../../src/treebank/phrases/phrase-tree.ts';
import { bracketForm, nodesOf, plainForm, tagsIn } from '../../../src/treebank/phrases/phrase-tree.ts';
import { columnOf, type Sentence } from '../../../src/treebank/sentence.ts';
import type { Parse, ParseOptions, Parser, RankedParse, UnseenValue } from '../../parser.ts';
import { checkParsing, parseEach } from '../../parser.ts';
import { unseenTags } from '../pcfg-parser.ts';
import { ExpectedPhrases, Threshold } from './expected-phrases.ts';
import { explainSpans } from './explain.ts';
import { bestTrees, type ScoredLabel } from './k-best.ts';
import { SpanChart, type SpanScores } from './span-chart.ts';
import { SpanNetwork, type SpansSettings, shapesOf, spansSettings, tagsOf } from './span-network.ts';
import { boundaries, phrasesOf, spansOf } from './tree-spans.ts';

/**
 * Finds the tree with the highest expected number of correct phrases, by the probabilities of a network. Its dependencies
 * are read off a tree with a few more phrases (`Threshold`).
 */
export class SpansParser implements Parser {
  readonly paradigm = 'spans';
  readonly reads: readonly AnnotatedColumn[];
  readonly writes: readonly AnnotatedColumn[] | undefined;
  calibration?: Calibration | undefined;
  private readonly settings: SpansSettings;
  private readonly numbering: Numbering;
  private readonly network: SpanNetwork;
  private readonly chart = new SpanChart();
  private readonly expected: ExpectedPhrases;
  private readonly tags: readonly string[];

  constructor(private readonly model: NetworkModel<SpansSettings>) {
    const { settings, numbering, extraInputs } = model;
    [this.settings, this.numbering] = [settings, numbering];
    this.network = new SpanNetwork(settings, { ...numbering, extraInputs }, false);
    this.network.setWeights(model.weights);
    this.expected = new ExpectedPhrases(this.network, numbering.labels);
    this.tags = tagsOf(numbering);
    this.reads = settings.tagging === 'given' ? ['xpos'] : [];
    this.writes = settings.tagging === 'own' ? ['xpos'] : undefined;
  }

  static load(file: ModelReader): SpansParser {
    return new SpansParser(readSpans(file));
  }

  save(file: ModelWriter): void {
    saveNetwork(file, 'spans', this.model);
  }

  parse(sentence: Sentence, options: ParseOptions = {}): Parse {
    checkParsing(options);
    const { confidence = false } = options;
    const { phrases, phrasesForArcs, chunks, notices } = this.findPhrases(sentence, confidence);
    const { heads, labels } = dependenciesOfPhrases(phrasesForArcs);
    const confidences = confidence ? arcConfidences(phrasesForArcs, heads, chunks) : undefined;
    if (confidences !== undefined) this.calibration?.apply(confidences);
    const columns = this.writes && { xpos: tagsIn(phrases) };
    return { heads, labels, confidences, phrases, notices, columns, unseen: this.unseenIn(sentence) };
  }

  parseAll(sentences: readonly Sentence[], options?: ParseOptions): Parse[] {
    return parseEach(this, sentences, options);
  }

  nBest(sentence: Sentence, k: number): RankedParse[] {
    checkWhole('k', k, 1, MOST_RANKS);
    const { length } = sentence;
    if (length > this.settings.maxLength) return [this.parse(sentence)];
    const own = this.parse(sentence);
    const { network, chart, numbering, settings } = this;
    const words = this.wordsOf(sentence);
    const scores = network.spanScores(length);
    const all = chart.fillInside(scores, length);
    const shareOf = (score: number) => Math.exp(score - all);
    const ranked = [{ phrases: own.phrases!, raw: shareOf(this.scoreOf(own.phrases!, scores)) }];
    const ownText = formatBrackets(own.phrases!);
    for (const { begins, ends, labels, score } of bestTrees(scores, length, k, this.labelsOf(length))) {
      const names = labels.map((label) => numbering.labels[label]);
      const phrases = phrasesOf({ begins, ends, labels: names }, words, settings.outermost);
      if (ranked.length < k && formatBrackets(phrases) !== ownText)
        ranked.push({ phrases, raw: shareOf(score) });
    }
    const raw = ranked.map((tree) => tree.raw);
    const probabilities = this.calibration?.ofTrees(raw) ?? raw;
    return ranked.map(({ phrases }, t) => {
      const { heads, labels } = t === 0 ? own : dependenciesOfPhrases(phrases);
      return { ...own, heads, labels, phrases, probability: probabilities[t] };
    });
  }

  explain(sentence: Sentence, request: ExplainRequest = {}): SpansExplanation {
    const { length } = sentence;
    checkRequest(request, sentence, this.settings.maxLength);
    // The network still holds the scores of the sentence, and the chart its best tree.
    const found = this.parse(sentence);
    const scores = this.network.spanScores(length);
    return {
      paradigm: 'spans',
      ...explainedSentenceOf(sentence, found, request),
      brackets: formatBrackets(found.phrases!).trim(),
      ...explainSpans(this.chart, length, {
        scores,
        treeScore: this.scoreOf(found.phrases!, scores),
        gains: this.expected,
        labelOf: (i, j) => this.expected.labelOf(i, j),
        labelsOf: this.labelsOf(length),
        names: this.numbering.labels,
      }),
    };
  }

  /** Returns a function that ranks the labels of a span of the sentence last read, best first. */
  private labelsOf(length: number): (i: number, j: number) => ScoredLabel[] {
    const { network } = this;
    const begins = Int32Array.from({ length }, (_, i) => i);
    const ends = new Int32Array(length);
    let end = 0;
    return (i, j) => {
      if (j !== end) {
        end = j;
        network.scoreLabels({ firsts: begins, seconds: ends.fill(j), from: 0, to: j }, length);
      }
      const order = this.logProbabilities(i).map((score, label) => ({ label, score }));
      return order.sort((a, b) => b.score - a.score);
    };
  }

  /** The log probabilities of the labels of the s-th span whose labels were scored last. */
  private logProbabilities(s: number): number[] {
    const { scores, rowLength } = this.network.labels;
    const row = scores.values.subarray(s * rowLength, s * rowLength + this.numbering.labels.length);
    const highest = row.reduce((most, score) => Math.max(most, score));
    const all = highest + logarithm(row.reduce((sum, score) => sum + exponential(score - highest), 0));
    return Array.from(row, (score) => score - all);
  }

  /** The log weight of a tree over the sentence last read: the scores of its spans and the log probabilities of their labels. */
  private scoreOf(phrases: PhraseTree, { values, rowLength }: SpanScores): number {
    const { network, numbering, settings } = this;
    const { begins, ends, labels } = spansOf(phrases, settings.outermost);
    const pairs = { firsts: Int32Array.from(begins), seconds: Int32Array.from(ends) };
    network.scoreLabels({ ...pairs, from: 0, to: labels.length }, (labels.length + 1) / 2);
    return labels.reduce((sum, label, s) => {
      const ofLabels = this.logProbabilities(s);
      return sum + values[ends[s] * rowLength + begins[s]] + ofLabels[numbering.labels.indexOf(label)];
    }, 0);
  }

  private unseenIn(sentence: Sentence): UnseenValue[] | undefined {
    if (this.settings.tagging !== 'given') return undefined;
    return unseenTags(sentence, (tag) => this.tags.includes(tag));
  }

  /**
   * Finds the phrases, and the tree that the dependencies are read off. Parses long sentences in chunks, which are listed if
   * confidences are wanted: memory and time grow with the square and the cube of the length.
   */
  private findPhrases(sentence: Sentence, confidence: boolean) {
    if (sentence.length === 0)
      throw new InputError('a sentence without words, expected at least one', {
        file: sentence.source?.file,
      });
    const { maxLength, outermost } = this.settings;
    const [forms, xpos] = [columnOf(sentence, 'forms'), columnOf(sentence, 'xpos')];
    const children: PhraseTree[] = [];
    const childrenForArcs: PhraseTree[] = [];
    const chunks: Chunk[] = [];
    const ends = chunkEnds(forms.slice(1), maxLength);
    let begin = 0;
    for (const end of ends) {
      const part = (column: readonly string[]) => ['', ...column.slice(begin + 1, end + 1)];
      const chunk = { ...sentence, length: end - begin, forms: part(forms), xpos: part(xpos) };
      const { tree, treeForArcs, probabilities } = this.findTrees(chunk);
      children.push(...tree.children);
      childrenForArcs.push(...treeForArcs.children);
      if (confidence) chunks.push({ begin, end, probabilities: probabilities.slice() });
      begin = end;
    }
    const notices =
      ends.length === 1 ? [] : [`${sentence.length} tokens, parsed in chunks of at most ${maxLength}`];
    const phrasesForArcs = { label: outermost, children: childrenForArcs };
    return { phrases: { label: outermost, children }, phrasesForArcs, chunks, notices };
  }

  /**
   * Finds the tree, the one for the dependencies, and the probabilities of the spans, (n + 1) × (n + 1), row = begin, until
   * the next sentence. The chart keeps the tree.
   */
  private findTrees(sentence: Sentence) {
    const { network, chart, numbering } = this;
    const { encoder } = numbering;
    const { length } = sentence;
    const forms = knownForms(sentence.forms.slice(1).map(plainForm), (form) => encoder.has('form', form));
    network.read(encoder.encode({ ...sentence, forms: [sentence.forms[0], ...forms] }));
    const scores = network.spanScores(length);
    chart.fillInside(scores, length);
    const probabilities = chart.fillProbabilities(scores, length);
    this.expected.read(probabilities, length);
    const words = this.wordsOf(sentence);
    const treeForArcs = this.decode(Threshold.dependencies, words);
    return { tree: this.decode(Threshold.phrases, words), treeForArcs, probabilities };
  }

  private decode(threshold: number, words: readonly PhraseTree[]): PhraseTree {
    const { chart, numbering, settings, expected } = this;
    const n = words.length;
    expected.fill(threshold);
    chart.decode(expected, n);
    const [begins, ends] = [chart.begins, chart.ends].map((all) => all.subarray(0, 2 * n - 1));
    const labels = Array.from(begins, (begin, s) => numbering.labels[expected.labelOf(begin, ends[s])]);
    return phrasesOf({ begins, ends, labels }, words, settings.outermost);
  }

  /** The words of the sentence last read, with their tags. */
  private wordsOf({ forms, xpos }: Sentence): PhraseTree[] {
    const { network, settings } = this;
    const found = (token: number) => this.tags[network.tags.best(token) - FIRST_ID];
    return forms.slice(1).map((form, i) => {
      const label = settings.tagging === 'given' ? xpos[i + 1] : found(i + 1);
      return { label: bracketForm(label), form: bracketForm(form), children: [] };
    });
  }
}

/** The words begin + 1 to end of a sentence, and the probabilities of the spans between them. */
type Chunk = { readonly begin: number; readonly end: number; readonly probabilities: Float64Array };

/**
 * Estimates the probability of each arc: P(span of the dependent's phrase) × P(span from the start of the phrase above
 * to the end of the dependent's phrase). For the root: P(span of its largest phrase).
 */
function arcConfidences(phrases: PhraseTree, heads: Int32Array, chunks: readonly Chunk[]): Float64Array {
  const confidences = new Float64Array(heads.length).fill(1);
  const { begins, ends } = boundaries(phrases);
  let isRootDone = false;
  for (const node of nodesOf(phrases)) {
    const { children } = node;
    if (children.length < 2) continue;
    const [begin, end] = [begins.get(node)!, ends.get(node)!];
    for (const [c, child] of children.entries()) {
      const [first, last] = [begins.get(child)! + 1, ends.get(child)!];
      let d = first;
      while (heads[d] >= first && heads[d] <= last) d++;
      const own = probabilityOf(first - 1, last, chunks);
      if (heads[d] > begin && heads[d] <= end) {
        confidences[d] = own * probabilityOf(begin, ends.get(children[Math.max(c, 1)])!, chunks);
      } else if (heads[d] === 0 && !isRootDone) {
        confidences[d] = own;
        isRootDone = true;
      }
    }
  }
  confidences[0] = 0;
  return confidences;
}

function probabilityOf(begin: number, end: number, chunks: readonly Chunk[]): number {
  const chunk = chunks.find((one) => one.begin <= begin && end <= one.end);
  if (chunk === undefined) return 0;
  const size = chunk.end - chunk.begin + 1;
  return chunk.probabilities[(begin - chunk.begin) * size + end - chunk.begin];
}

export const readSpans = (file: ModelReader): NetworkModel<SpansSettings> =>
  loadNetwork(file, 'spans', spansSettings, shapesOf);
