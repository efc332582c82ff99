import { z } from 'zod';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import type { PhraseTree } from '../../src/treebank/brackets/phrase-tree.ts';
import { dependenciesOfPhrases } from '../../src/treebank/phrases/phrase-dependencies.ts';
import type { DependencyTree, Sentence } from '../../src/treebank/sentence.ts';
import type { ParsedPhrases, Parser, ReadColumn } from '../parser.ts';
import { pieceEnds } from './chart/chunks.ts';
import { type FoundTree, TreeParser } from './chart/tree-parser.ts';
import { Grammar, type GrammarTables } from './grammar/grammar.ts';
import { Lexicon, type WordStates } from './lexicon/lexicon.ts';
import { type PcfgSettings, pcfgSettings } from './options.ts';
import { bracketForm } from './trees/bracket-forms.ts';

/** What a model's header says of a constituency parser. */
const headerSchema = z.object({
  settings: pcfgSettings,
  start: z.int(),
  /** By state; null for the start and for intermediate states. */
  labels: z.array(z.string().nullable()).min(1),
});

/** Words in the chunks of a sentence that is too long as a whole: few enough to be parsed in no time. */
const CHUNK = 40;

/** A trained constituency parser: the most probable tree of a grammar, and the dependencies in it. */
export class PcfgParser implements Parser {
  readonly paradigm = 'pcfg';
  readonly reads: readonly ReadColumn[];
  private readonly trees: TreeParser;

  constructor(
    private readonly settings: PcfgSettings,
    private readonly grammar: GrammarTables,
    private readonly lexicon: Lexicon,
  ) {
    const { search, beam, tags } = settings;
    this.reads = tags === 'given' ? ['xpos'] : [];
    this.trees = new TreeParser(new Grammar(grammar), search === 'exact' ? Number.POSITIVE_INFINITY : beam);
  }

  static load(file: ModelReader): PcfgParser {
    const { settings, start, labels } = file.part('pcfg', headerSchema);
    const rules = (name: string) => ({
      states: file.section(name, 'int32'),
      scores: file.section(`${name}.scores`, 'float32'),
    });
    const grammar = {
      start,
      labels: labels.map((label) => label ?? undefined),
      tags: file.section('tags', 'uint8'),
      occurrences: file.section('occurrences', 'int32'),
      binary: rules('binary'),
      chains: rules('chains'),
    };
    return new PcfgParser(settings, grammar, Lexicon.load(file, grammar, settings));
  }

  save(file: ModelWriter): void {
    const { start, labels, tags, occurrences, binary, chains } = this.grammar;
    file.header.pcfg = { settings: this.settings, start, labels: labels.map((label) => label ?? null) };
    file.section('tags', tags);
    file.section('occurrences', occurrences);
    for (const [name, { states, scores }] of Object.entries({ binary, chains })) {
      file.section(name, states);
      file.section(`${name}.scores`, scores);
    }
    this.lexicon.save(file);
  }

  /** The dependencies of the tree that `phrases` gives. */
  parse(sentence: Sentence): DependencyTree {
    const { tree, notice } = this.phrases(sentence);
    return { ...this.dependencies(tree), notice };
  }

  dependencies(tree: PhraseTree): DependencyTree {
    const { heads, labels } = dependenciesOfPhrases(tree, { traces: this.settings.traces });
    return { heads, labels };
  }

  /** The most probable tree, of as many words as the sentence has; brackets in them are written by name. */
  phrases(sentence: Sentence): ParsedPhrases {
    const forms = sentence.forms.slice(1).map(bracketForm);
    const words = forms.map((form, i) => this.wordStates(form, i === 0, sentence.xpos[i + 1]));
    if (words.length > this.settings.maxLength || !this.trees.hasRoomFor(words.length)) {
      return this.inChunks(words, forms);
    }
    const { tree, parts } = this.trees.parse(words, forms);
    if (parts === 0) return { tree };
    return { tree, notice: `no parse, put together from ${parts === 1 ? '1 part' : `${parts} parts`}` };
  }

  private wordStates(form: string, isFirst: boolean, tag: string): WordStates {
    const { lexicon, settings } = this;
    return settings.tags === 'given'
      ? lexicon.statesOfTagged(form, isFirst, tag)
      : lexicon.statesOf(form, isFirst);
  }

  /** Memory and time grow with the square and the cube of a chunk, not of the sentence. */
  private inChunks(words: readonly WordStates[], forms: readonly string[]): ParsedPhrases {
    const found: FoundTree[] = [];
    const most = Math.min(CHUNK, this.settings.maxLength);
    let start = 0;
    for (const end of pieceEnds(forms, most)) {
      found.push(this.trees.parse(words.slice(start, end), forms.slice(start, end)));
      start = end;
    }
    const tree = this.trees.joined(found.map((chunk) => chunk.tree));
    const failed = found.filter(({ parts }) => parts > 0).length;
    const notice = `${forms.length} tokens, parsed in chunks of at most ${most}`;
    return {
      tree,
      notice: failed === 0 ? notice : `${notice}, ${failed} of ${found.length} without a parse`,
    };
  }
}
