import type { AlignedMetric } from '../../src/evaluate/attachment/ud-counts.ts';
import {
  contentRelations,
  functionRelations,
  universalFeatures,
  universalRelation,
} from '../../src/evaluate/attachment/ud-sentence.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { surfaceTokens } from '../../src/treebank/surface.ts';

/** A word of a whole text; its head and children are also words. */
interface Word {
  readonly start: number;
  readonly end: number;
  readonly isPart: boolean;
  readonly form: string;
  readonly columns: Readonly<Record<'upos' | 'xpos' | 'feats' | 'lemma' | 'label', string>>;
  head: Word | 'root';
  readonly functionChildren: Word[];
}

interface Text {
  readonly tokens: string[];
  readonly sentences: string[];
  readonly words: Word[];
}

/** Reads a whole text, with spans as `start-end`. */
function readText(sentences: readonly Sentence[]): Text {
  const text: Text = { tokens: [], sentences: [], words: [] };
  let end = 0;
  for (const sentence of sentences) {
    const start = end;
    const words: Word[] = [];
    for (const { form, first, last } of surfaceTokens(sentence)) {
      const span = { start: end, end: end + form.length };
      end = span.end;
      text.tokens.push(`${span.start}-${span.end}`);
      for (let d = first; d <= last; d++) words.push(wordOf(sentence, d, span, last > first));
    }
    for (const [i, word] of words.entries()) {
      const h = sentence.heads[i + 1];
      if (h === 0) continue;
      word.head = words[h - 1];
      if (functionRelations.has(word.columns.label)) words[h - 1].functionChildren.push(word);
    }
    text.words.push(...words);
    text.sentences.push(`${start}-${end}`);
  }
  return text;
}

function wordOf(
  sentence: Sentence,
  d: number,
  span: { readonly start: number; readonly end: number },
  isPart: boolean,
): Word {
  const columns = {
    upos: sentence.upos[d],
    xpos: sentence.xpos[d],
    feats: universalFeatures(sentence.feats[d]),
    lemma: sentence.lemmas[d],
    label: universalRelation(sentence.labels[d]),
  };
  const form = sentence.forms[d].toLowerCase();
  return { ...span, isPart, form, columns, head: 'root', functionChildren: [] };
}

type Align = (gold: readonly Word[], predicted: readonly Word[]) => ArrayLike<number>;

/**
 * The aligned words, found between places where both texts end a sentence. (The script looks beyond such a place if
 * words of different tokens stand before it and a token of several words follows.)
 */
function alignedPairs(gold: Text, predicted: Text, align: Align): [Word, Word][] {
  const pairs: [Word, Word][] = [];
  const ends = gold.sentences.map((span) => Number(span.split('-')[1]));
  let start = 0;
  for (const end of ends.filter((end) => predicted.sentences.some((span) => span.endsWith(`-${end}`)))) {
    const [ours, theirs] = [gold, predicted].map(({ words }) =>
      words.filter((word) => word.start >= start && word.end <= end),
    );
    Array.from(align(ours, theirs)).forEach((p, g) => {
      if (p >= 0) pairs.push([ours[g], theirs[p]]);
    });
    start = end;
  }
  return pairs;
}

/** The counts [gold, predicted, correct, aligned] of each metric on whole texts, computed by the definitions. */
export function referenceCounts(
  goldSentences: readonly Sentence[],
  predictedSentences: readonly Sentence[],
  align: Align,
): Readonly<Record<AlignedMetric, readonly number[]>> {
  const [gold, predicted] = [readText(goldSentences), readText(predictedSentences)];
  const pairs = alignedPairs(gold, predicted, align);
  const goldOf = new Map<Word | 'root', Word | 'root'>([['root', 'root']]);
  for (const [g, p] of pairs) goldOf.set(p, g);
  const shared = (a: readonly string[], b: readonly string[]) => a.filter((span) => b.includes(span)).length;
  const sizes = [gold.words.length, predicted.words.length];
  const isContent = ({ columns }: Word) => contentRelations.has(columns.label);
  const content = [gold.words.filter(isContent).length, predicted.words.filter(isContent).length];
  const right = (holds: (g: Word, p: Word) => boolean) => [
    ...[...sizes, pairs.filter(([g, p]) => holds(g, p)).length, pairs.length],
  ];
  const contentPairs = pairs.filter(([g]) => isContent(g));
  const rightContent = (holds: (g: Word, p: Word) => boolean) => [
    ...[...content, contentPairs.filter(([g, p]) => holds(g, p)).length, contentPairs.length],
  ];
  const same = (name: keyof Word['columns']) => (g: Word, p: Word) => g.columns[name] === p.columns[name];
  const tags = (g: Word, p: Word) => same('upos')(g, p) && same('feats')(g, p);
  const lemma = (g: Word, p: Word) => g.columns.lemma === '_' || same('lemma')(g, p);
  const head = (g: Word, p: Word) => g.head === goldOf.get(p.head);
  const arc = (g: Word, p: Word) => head(g, p) && same('label')(g, p);
  const children = (g: Word, p: Word) =>
    g.functionChildren.length === p.functionChildren.length &&
    g.functionChildren.every((child, i) => {
      const other = p.functionChildren[i];
      return goldOf.get(other) === child && same('label')(child, other) && tags(child, other);
    });
  return {
    Tokens: [gold.tokens.length, predicted.tokens.length, shared(gold.tokens, predicted.tokens), 0],
    Sentences: [
      ...[gold.sentences.length, predicted.sentences.length],
      ...[shared(gold.sentences, predicted.sentences), 0],
    ],
    Words: [...sizes, pairs.length, 0],
    UPOS: right(same('upos')),
    XPOS: right(same('xpos')),
    UFeats: right(same('feats')),
    AllTags: right((g, p) => tags(g, p) && same('xpos')(g, p)),
    Lemmas: right(lemma),
    UAS: right(head),
    LAS: right(arc),
    CLAS: rightContent(arc),
    MLAS: rightContent((g, p) => arc(g, p) && tags(g, p) && children(g, p)),
    BLEX: rightContent((g, p) => arc(g, p) && lemma(g, p)),
  };
}
