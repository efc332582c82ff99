import type { OtherSplit } from '../../../evaluate/alignment/counterpart.ts';
import { tagOf } from '../../../evaluate/breakdowns/buckets.ts';
import { type ComparedSentence, isRight } from '../../../evaluate/compared-sentence.ts';
import type { Comparison, ErrorCounts } from '../../../evaluate/comparison/comparison.ts';
import { numberIn } from '../../../number-in.ts';
import { detached } from '../../../platform/platform.ts';
import type { PhraseTree } from '../../../treebank/phrases/phrase-tree.ts';
import { type DependencyTree, isFilled, type Sentence } from '../../../treebank/sentence.ts';
import { originalText } from '../../../treebank/surface.ts';
import type { PackedSentence, PackedWords, SentenceData } from './sentence-data.ts';
import { packPhrases, queriedColumns } from './sentence-data.ts';

/** Collects the sentences of a page as compact data; keeps no other part of the treebank's text in memory. */
export class SentencePacker {
  /** Numbers of strings, from 0 in the order in which they first occur. */
  private readonly forms = new Map<string, number>();
  private readonly tags = new Map<string, number>();
  private readonly labels = new Map<string, number>();
  private readonly phraseLabels = new Map<string, number>();
  private readonly columnValues = new Map<string, number>();
  private readonly packed: PackedSentence[] = [];
  private total = 0;

  constructor(private readonly parsers: readonly string[]) {}

  skip(): void {
    this.total++;
  }

  add({ gold, trees, scored }: ComparedSentence): void {
    this.total++;
    const text = originalText(gold);
    const tokens = Array.from(gold.heads.keys()).slice(1);
    const unscored = tokens.filter((d) => scored[d] === 0);
    this.packed.push({
      ...(this.total !== this.packed.length + 1 && { number: this.total }),
      ...(gold.id !== undefined && { id: detached(gold.id) }),
      ...(text !== undefined && text !== gold.forms.slice(1).join(' ') && { text: detached(text) }),
      words: tokens.flatMap((d) => this.word(gold, d)),
      ...this.columnsOf(gold),
      gold: tokens.flatMap((d) => this.arc(gold, d)),
      trees: trees.map((tree) => this.differences(gold, tree)),
      ...this.phrasesOf(gold, trees),
      ...(unscored.length > 0 && { unscored }),
      ...(trees.some(({ split }) => split) && {
        own: trees.map(({ split }) => (split === undefined ? null : this.ownWords(split))),
      }),
    });
  }

  data(): SentenceData {
    const { total, parsers, packed: sentences } = this;
    const lists = [this.forms, this.tags, this.labels, this.columnValues, this.phraseLabels];
    const [forms, tags, labels, values, phraseLabels] = lists.map((numbers) => [...numbers.keys()]);
    const strings = { forms, tags, labels, ...(phraseLabels.length > 0 && { phraseLabels }) };
    return { total, parsers, ...strings, values, sentences };
  }

  private columnsOf(gold: Sentence): Pick<PackedSentence, 'columns'> {
    const filled = queriedColumns.filter((name) => isFilled(gold[name]));
    if (filled.length === 0) return {};
    const packed = filled.map((name) => [
      name,
      gold[name].slice(1).map((text) => numberIn(this.columnValues, text)),
    ]);
    return { columns: Object.fromEntries(packed) };
  }

  private phrasesOf(gold: ComparedSentence['gold'], trees: ComparedSentence['trees']) {
    const pack = (tree: PhraseTree) => packPhrases(tree, (label) => numberIn(this.phraseLabels, label));
    const all = [gold.phrases, ...trees.map(({ phrases }) => phrases)].filter((tree) => tree !== undefined);
    if (all.length <= trees.length) return {};
    const [packed, ...others] = all.map(pack);
    if ([packed, ...others].some(({ tags }) => tags.length !== gold.length)) return {};
    const text = JSON.stringify(packed);
    const differing = others.map((other) => (JSON.stringify(other) === text ? null : other));
    return { phrases: { gold: packed, trees: differing } };
  }

  private ownWords({ sentences, words }: OtherSplit): PackedWords {
    const packed = { words: [] as number[], arcs: [] as number[], counterparts: [] as number[] };
    for (const own of sentences) {
      const { length, heads, labels } = own.sentence;
      const before = packed.counterparts.length;
      const here = new Map(
        words.filter(({ of }) => of === own).map(({ number, counterpart }) => [number, counterpart]),
      );
      for (let d = 1; d <= length; d++) {
        packed.words.push(...this.word(own.sentence, d));
        packed.arcs.push(heads[d] > 0 ? before + heads[d] : heads[d], numberIn(this.labels, labels[d]));
        packed.counterparts.push(here.get(d) ?? -1);
      }
    }
    return packed;
  }

  private word(sentence: Sentence, d: number): [form: number, tag: number] {
    return [numberIn(this.forms, sentence.forms[d]), numberIn(this.tags, tagOf(sentence, d))];
  }

  private arc({ heads, labels }: DependencyTree, d: number): [head: number, label: number] {
    return [heads[d], numberIn(this.labels, labels[d])];
  }

  private differences(gold: DependencyTree, tree: DependencyTree): number[] {
    const found: number[] = [];
    for (let d = 1; d < gold.heads.length; d++)
      if (!isRight(gold, tree, d, true)) found.push(d, ...this.arc(tree, d));
    return found;
  }
}

/** Maximum tokens on a page, apart from sentences in the lists: about 14 MB with five parsers. */
const MOST_TOKENS = 300_000;
/** Maximum words of a sentence on a page: longer ones would freeze the browser. */
export const longestOnPage = 2000;

/** Packs all sentences or, if too many, the first ones and those linked from the lists (`limit` entries each). */
export async function pageSentences(
  comparison: Comparison,
  sentences: AsyncIterable<ComparedSentence> | Iterable<ComparedSentence>,
  limit: number,
): Promise<SentenceData> {
  const named = namedSentences(comparison, limit);
  const packer = new SentencePacker(comparison.parsers.map(({ name }) => name));
  let number = 0;
  let tokens = 0;
  for await (const sentence of sentences) {
    const { length } = sentence.gold;
    const { trees } = sentence;
    const own = trees.flatMap(({ split }) =>
      split === undefined ? [] : split.sentences.reduce((sum, { sentence }) => sum + sentence.length, 0),
    );
    number++;
    tokens += length + own.reduce((a, b) => a + b, 0);
    if (Math.max(length, ...own) <= longestOnPage && (tokens <= MOST_TOKENS || named.has(number)))
      packer.add(sentence);
    else packer.skip();
  }
  return packer.data();
}

function namedSentences({ sentences, errors }: Comparison, limit: number): ReadonlySet<number> {
  const lists: (readonly ErrorCounts[])[] = [errors.labelConfusions, errors.wrongArcs, errors.words];
  const examples = lists.flatMap((list) => list.slice(0, limit).flatMap((kind) => kind.examples.flat()));
  return new Set([...examples, ...sentences.slice(0, limit)].map(({ sentence }) => sentence));
}
