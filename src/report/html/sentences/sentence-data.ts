import type { PhraseTree } from '../../../treebank/brackets/phrase-tree.ts';
import type { DependencyTree } from '../../../treebank/sentence.ts';
import { type PackedPhrases, unpackPhrases } from './packed-phrases.ts';

/**
 * The sentences of a page, as small as JSON can be without effort: strings are numbers of entries in a list,
 * the parsers' trees are what differs from gold. Sentences of 12 words with 5 parsers take about 250 bytes.
 */
export interface SentenceData {
  /** Sentences of the treebank, of which some may not be here. */
  readonly total: number;
  readonly parsers: readonly string[];
  readonly forms: readonly string[];
  readonly tags: readonly string[];
  readonly labels: readonly string[];
  /** Labels and tags of phrases; absent where there are none. */
  readonly phraseLabels?: readonly string[] | undefined;
  readonly sentences: readonly PackedSentence[];
}

/** Numbers of tokens count from 1. */
export interface PackedSentence {
  /** In the treebank, from 1; absent where it is its place among those here. */
  readonly number?: number | undefined;
  readonly id?: string | undefined;
  /** As it was written; absent where that is just the words with spaces between them, or not known. */
  readonly text?: string | undefined;
  /** The numbers of the form and the tag of each token, one after the other. */
  readonly words: readonly number[];
  /** The head and the number of the label of each token. */
  readonly gold: readonly number[];
  /** For each parser: token, head and number of the label, wherever they are not those of gold. */
  readonly trees: readonly (readonly number[])[];
  /** The tokens that are not scored. */
  readonly unscored?: readonly number[] | undefined;
  /** For each parser that has split the text otherwise (else null): its own words; absent where none has. */
  readonly own?: readonly (PackedWords | null)[] | undefined;
  /** The trees as phrases, where they are bracketed ones: gold's, and each parser's, null where it is just gold's. */
  readonly phrases?:
    | { readonly gold: PackedPhrases; readonly trees: readonly (PackedPhrases | null)[] }
    | undefined;
}

/** A parser's own sentences over the characters of a gold sentence, one after the other as if they were one. */
export interface PackedWords {
  /** As in `PackedSentence`. */
  readonly words: readonly number[];
  /** The head and the number of the label of each word. */
  readonly arcs: readonly number[];
  /** Of each word its number in gold; 0 where gold has no such word, −1 where it is one of another gold sentence. */
  readonly counterparts: readonly number[];
}

/** A sentence as the page shows it. All columns have an entry for each token, entry 0 is the artificial root. */
export interface ShownSentence {
  /** From 1. */
  readonly number: number;
  readonly id: string;
  /** As in `PackedSentence`. */
  readonly text?: string | undefined;
  readonly forms: readonly string[];
  readonly tags: readonly string[];
  readonly gold: DependencyTree;
  /** What the parsers say of gold's words. */
  readonly trees: readonly DependencyTree[];
  readonly scored: Uint8Array;
  /** How sure, from 0 to 1, gold's tree and each parser's is of the arc to each token; absent where none tells. */
  readonly confidences?: readonly (readonly number[] | undefined)[] | undefined;
  /** For each parser its own words and trees, where they are others; absent where none has others. */
  readonly own?: readonly (ShownWords | undefined)[] | undefined;
  readonly phrases?: { readonly gold: PhraseTree; readonly trees: readonly PhraseTree[] } | undefined;
}

/** Words of a parser's, with its tree or trees; laid out as in `ShownSentence`. */
interface ShownWords {
  readonly forms: readonly string[];
  readonly tags: readonly string[];
  readonly tree: DependencyTree;
  /** As in `PackedWords`. */
  readonly counterparts: readonly number[];
}

/** The number in the treebank, from 1, of a sentence of the page. */
export function numberOf({ sentences }: SentenceData, index: number): number {
  return sentences[index].number ?? index + 1;
}

export function unpackSentence(data: SentenceData, index: number): ShownSentence {
  const { labels, sentences } = data;
  const { id, text, words, gold, trees, unscored = [], own, phrases } = sentences[index];
  const goldTree = unpackTree(gold, labels);
  const scored = new Uint8Array(goldTree.heads.length).fill(1, 1);
  for (const d of unscored) scored[d] = 0;
  const shownWords = unpackWords(words, data);
  const unpacked = (packed: PackedPhrases) =>
    unpackPhrases(packed, shownWords.forms, data.phraseLabels ?? []);
  return {
    number: numberOf(data, index),
    id: id ?? '',
    text,
    ...shownWords,
    gold: goldTree,
    trees: trees.map((differences) => changed(goldTree, differences, labels)),
    scored,
    ...(own && { own: own.map((packed) => (packed === null ? undefined : unpackOwn(packed, data))) }),
    ...(phrases && {
      phrases: {
        gold: unpacked(phrases.gold),
        trees: phrases.trees.map((packed) => unpacked(packed ?? phrases.gold)),
      },
    }),
  };
}

function unpackOwn({ words, arcs, counterparts }: PackedWords, data: SentenceData): ShownWords {
  const tree = unpackTree(arcs, data.labels);
  return { ...unpackWords(words, data), tree, counterparts: [0, ...counterparts] };
}

function unpackWords(words: readonly number[], { forms, tags }: SentenceData) {
  return {
    forms: ['', ...words.filter((_, i) => i % 2 === 0).map((number) => forms[number])],
    tags: ['', ...words.filter((_, i) => i % 2 === 1).map((number) => tags[number])],
  };
}

function unpackTree(arcs: readonly number[], labels: readonly string[]): DependencyTree {
  return {
    heads: Int32Array.of(-1, ...arcs.filter((_, i) => i % 2 === 0)),
    labels: ['', ...arcs.filter((_, i) => i % 2 === 1).map((number) => labels[number])],
  };
}

function changed(
  { heads, labels }: DependencyTree,
  differences: readonly number[],
  names: readonly string[],
): DependencyTree {
  const tree = { heads: heads.slice(), labels: [...labels] };
  for (let i = 0; i < differences.length; i += 3) {
    const d = differences[i];
    tree.heads[d] = differences[i + 1];
    tree.labels[d] = names[differences[i + 2]];
  }
  return tree;
}
