import type { ComparedSentence } from '../../../evaluate/compared-sentence.ts';
import type { Comparison, ErrorCounts } from '../../../evaluate/comparison/comparison.ts';
import { SentencePacker } from './pack-sentences.ts';
import type { SentenceData } from './sentence-data.ts';

/** Tokens of all sentences on a page, beside those that its lists name: with five parsers about 14 MB. */
const MOST_TOKENS = 300_000;

/** Tokens of the longest sentence that browsers draw without halting. */
export const longestOnPage = 2000;

/**
 * The sentences of a page: all, where they are not too many; else those that its lists of errors and sentences
 * lead to, `limit` entries each, and the first ones of the treebank.
 */
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
    const own = ownLengths(sentence);
    number++;
    tokens += length + own.reduce((a, b) => a + b, 0);
    if (Math.max(length, ...own) <= longestOnPage && (tokens <= MOST_TOKENS || named.has(number)))
      packer.add(sentence);
    else packer.skip();
  }
  return packer.data();
}

/** Words of each parser that has others than gold. */
function ownLengths({ trees }: ComparedSentence): number[] {
  return trees.flatMap(({ split }) =>
    split === undefined ? [] : split.sentences.reduce((sum, { sentence }) => sum + sentence.length, 0),
  );
}

function namedSentences({ sentences, errors }: Comparison, limit: number): ReadonlySet<number> {
  const lists: (readonly ErrorCounts[])[] = [errors.labelConfusions, errors.wrongArcs, errors.words];
  const examples = lists.flatMap((list) => list.slice(0, limit).flatMap((kind) => kind.examples.flat()));
  const differing = sentences.slice(0, limit);
  return new Set([...examples, ...differing].map(({ sentence }) => sentence));
}
