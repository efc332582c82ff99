import { checkTreeCount } from '../../src/checks.ts';
import { chunkEnds } from '../../src/encoding/chunks.ts';
import type { PcfgExplanation } from '../../src/explain/explanation.ts';
import { checkRequest, type ExplainRequest, explainedSentenceOf } from '../../src/explain/request.ts';
import type { Calibration } from '../../src/learn/calibration.ts';
import type { HeaderFields } from '../../src/model/header-fields.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import type { AnnotatedColumn } from '../../src/treebank/columns/names.ts';
import { formatBrackets } from '../../src/treebank/phrases/brackets.ts';
import { dependenciesOfPhrases } from '../../src/treebank/phrases/dependencies.ts';
import { knownForms } from '../../src/treebank/phrases/known-forms.ts';
import { bracketForm, nodesOf, type PhraseTree, tagsIn } from '../../src/treebank/phrases/phrase-tree.ts';
import { traceTreatments } from '../../src/treebank/phrases/traces.ts';
import { columnOf, type Sentence } from '../../src/treebank/sentence.ts';
import type { Parse, ParseOptions, Parser, RankedParse, UnseenValue } from '../parser.ts';
import { byProbability, checkParsing, parseEach } from '../parser.ts';
import { Grammar, type GrammarTables, loadGrammar } from './grammar.ts';
import { Lexicon, type WordStates } from './lexicon.ts';
import { type LatentGrammar, loadLatent, saveLatent } from './split-merge/latent-grammar.ts';
import { SplitTreeParser } from './split-merge/split-tree-parser.ts';
import { type FoundTree, TreeParser } from './tree-parser.ts';

export const searches = ['exact', 'pruned'] as const;
export const tagSources = ['own', 'given'] as const;

/** The highest `maxLength`: parsing takes time cubic in the length. */
export const MOST_WORDS = 1000;

/** Settings saved in the model. */
export type PcfgSettings = Readonly<ReturnType<typeof pcfgSettings>>;

/** Reads the settings in a model's header; throws `InputError` if they are invalid. */
function pcfgSettings(fields: HeaderFields) {
  return {
    search: fields.choice('search', searches),
    /** Beam width as a difference of log probabilities. */
    beam: fields.number('beam', 1, 100),
    tags: fields.choice('tags', tagSources),
    traces: fields.choice('traces', traceTreatments),
    /** Longer sentences are parsed in chunks. */
    maxLength: fields.integer('maxLength', 10, MOST_WORDS),
    suffix: fields.integer('suffix', 0, 10),
    smoothing: fields.number('smoothing', 0, 1000),
    frequent: fields.integer('frequent', 0),
  };
}

/** Length of the chunks of sentences that are too long. */
const CHUNK = 40;

type Leaf = { form?: string | undefined; readonly children: readonly Leaf[] };
type FoundPhrases = { readonly tree: PhraseTree; readonly notices: readonly string[] };

/** Finds the most probable tree of a grammar, and converts it to dependencies. */
export class PcfgParser implements Parser {
  readonly paradigm = 'pcfg';
  readonly reads: readonly AnnotatedColumn[];
  readonly writes: readonly AnnotatedColumn[] | undefined;
  calibration?: Calibration | undefined;
  private readonly trees: TreeParser | SplitTreeParser;

  constructor(
    private readonly settings: PcfgSettings,
    private readonly grammar: GrammarTables,
    private readonly lexicon: Lexicon,
    /** The grammar with symbols split by EM. */
    private readonly latent?: LatentGrammar,
  ) {
    const { search, beam, tags } = settings;
    this.reads = tags === 'given' ? ['xpos'] : [];
    this.writes = tags === 'own' ? ['xpos'] : undefined;
    const width = search === 'exact' ? Number.POSITIVE_INFINITY : beam;
    const plain = new TreeParser(new Grammar(grammar), width);
    this.trees = latent === undefined ? plain : new SplitTreeParser(grammar, latent, plain);
  }

  static load(file: ModelReader): PcfgParser {
    const fields = file.fields('pcfg');
    if (fields.has('lexicalize')) file.refuse('trained with lexicalize, which is no longer supported');
    const settings = pcfgSettings(fields.fields('settings'));
    const grammar = loadGrammar(file, fields);
    const lexicon = Lexicon.load(file, grammar, settings);
    const latent = fields.has('split')
      ? loadLatent(file, fields.fields('split'), grammar, settings.suffix)
      : undefined;
    return new PcfgParser(settings, grammar, lexicon, latent);
  }

  save(file: ModelWriter): void {
    const { start, labels, tags, occurrences, binary, chains } = this.grammar;
    const { latent, settings } = this;
    const header = { settings, start, labels: labels.map((label) => label ?? null) };
    file.header.pcfg = header;
    file.section('tags', tags);
    file.section('occurrences', occurrences);
    for (const [name, { states, scores }] of Object.entries({ binary, chains })) {
      file.section(name, states);
      file.section(`${name}.scores`, scores);
    }
    this.lexicon.save(file);
    if (latent !== undefined) file.header.pcfg = { ...header, split: saveLatent(file, latent) };
  }

  /** Finds the best tree; round brackets in its words are written as `-LRB-` and `-RRB-`. */
  parse(sentence: Sentence, options: ParseOptions = {}): Parse {
    checkParsing(options);
    const { confidence = false } = options;
    const { traces } = this.settings;
    const { tree, notices } = this.findTree(sentence);
    const phrases = this.withForms(tree, sentence);
    const { heads, labels } = dependenciesOfPhrases(phrases, { traces });
    const confidences = confidence ? confidencesByDistance(heads) : undefined;
    if (confidences !== undefined) this.calibration?.apply(confidences);
    const columns = this.writes && { xpos: tagsIn(phrases) };
    return { heads, labels, confidences, phrases, notices, columns, unseen: this.unseenIn(sentence) };
  }

  parseAll(sentences: readonly Sentence[], options?: ParseOptions): Parse[] {
    return parseEach(this, sentences, options);
  }

  nBest(sentence: Sentence, k: number): RankedParse[] {
    checkTreeCount(k);
    const forms = this.wordsOf(sentence);
    const words = this.wordStates(forms, sentence);
    if (words.length > this.settings.maxLength || !this.trees.fitsInMemory(words.length))
      return [this.parse(sentence)];
    const found = this.trees.kBest(words, forms, k);
    if (found.length === 0) return [this.parse(sentence)];
    const trees = byProbability(found);
    const unseen = this.unseenIn(sentence);
    const raw = trees.map(({ probability }) => probability);
    const probabilities = this.calibration?.ofTrees(raw) ?? raw;
    return trees.map(({ tree }, t) => {
      const phrases = this.withForms(tree, sentence);
      const { heads, labels } = dependenciesOfPhrases(phrases, { traces: this.settings.traces });
      const columns = this.writes && { xpos: tagsIn(phrases) };
      return { heads, labels, phrases, probability: probabilities[t], notices: [], columns, unseen };
    });
  }

  explain(sentence: Sentence, request: ExplainRequest = {}): PcfgExplanation {
    const mostWords = this.trees.fitsInMemory(sentence.length) ? this.settings.maxLength : CHUNK;
    checkRequest(request, sentence, mostWords);
    const found = this.parse(sentence);
    const forms = this.wordsOf(sentence);
    const words = this.wordStates(forms, sentence);
    return {
      paradigm: 'pcfg',
      ...explainedSentenceOf(sentence, found, request),
      grammar: this.latent === undefined ? 'plain' : 'split',
      brackets: formatBrackets(found.phrases!).trim(),
      ...this.trees.explain(words, forms),
    };
  }

  private unseenIn(sentence: Sentence): UnseenValue[] | undefined {
    if (this.settings.tags !== 'given') return undefined;
    return unseenTags(sentence, (tag) => this.lexicon.hasTag(tag));
  }

  /** Replaces the words of a tree by the sentence's. */
  private withForms(tree: PhraseTree, sentence: Sentence): PhraseTree {
    const forms = columnOf(sentence, 'forms');
    let word = 0;
    for (const node of nodesOf<Leaf>(tree))
      if (node.form !== undefined) node.form = bracketForm(forms[++word]);
    return tree;
  }

  /** The words as training trees have them. */
  private wordsOf(sentence: Sentence): string[] {
    return knownForms(columnOf(sentence, 'forms').slice(1), (form) => this.lexicon.hasWord(form));
  }

  private findTree(sentence: Sentence): FoundPhrases {
    const forms = this.wordsOf(sentence);
    const words = this.wordStates(forms, sentence);
    if (words.length > this.settings.maxLength || !this.trees.fitsInMemory(words.length))
      return this.inChunks(words, forms);
    const { tree, parts } = this.trees.parse(words, forms, true);
    const notice = `no parse, put together from ${parts === 1 ? '1 part' : `${parts} parts`}`;
    return { tree, notices: parts === 0 ? [] : [notice] };
  }

  private wordStates(forms: readonly string[], sentence: Sentence): WordStates[] {
    const { lexicon, settings } = this;
    if (settings.tags !== 'given') return forms.map((form, i) => lexicon.statesOf(form, i === 0));
    const tags = columnOf(sentence, 'xpos');
    return forms.map((form, i) => lexicon.statesOfTagged(form, i === 0, tags[i + 1]));
  }

  /** Parses chunks one by one, since memory and time grow with the square and the cube of the length. */
  private inChunks(words: readonly WordStates[], forms: readonly string[]): FoundPhrases {
    const found: FoundTree[] = [];
    const most = Math.min(CHUNK, this.settings.maxLength);
    let start = 0;
    for (const end of chunkEnds(forms, most)) {
      found.push(this.trees.parse(words.slice(start, end), forms.slice(start, end), start === 0));
      start = end;
    }
    const tree = this.trees.joined(found.map((chunk) => chunk.tree));
    const failed = found.filter(({ parts }) => parts > 0).length;
    const notice = `${forms.length} tokens, parsed in chunks of at most ${most}`;
    const more = failed === 0 ? '' : `, ${failed} of ${found.length} without a parse`;
    return { tree, notices: [notice + more] };
  }
}

/** The tags of a sentence that did not occur in training. */
export function unseenTags({ length, xpos }: Sentence, isKnown: (tag: string) => boolean) {
  const tokens = Array.from({ length }, (_, i) => i + 1);
  const unseen = tokens.filter((token) => !isKnown(xpos[token]));
  return unseen.length === 0 ? undefined : unseen.map((token) => ({ column: 'xpos' as const, token }));
}

const ROOT_DISTANCE = 4;

/** Returns raw confidences: nearer heads are more often correct. */
function confidencesByDistance(heads: Int32Array): Float64Array {
  return Float64Array.from(heads, (head, d) => 1 / (head === 0 ? ROOT_DISTANCE : Math.abs(head - d)));
}
