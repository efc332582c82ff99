import fc from 'fast-check';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';

/** A token of a text: its characters and, if it has several words, these words. */
interface SplitToken {
  readonly form: string;
  readonly words?: readonly string[];
}

const uposTags = ['NOUN', 'VERB', 'PUNCT'];
const relations = ['nsubj', 'obj', 'det', 'case', 'punct', 'nsubj:pass'];
const features = ['_', 'Number=Sing', 'Number=Plur|Typo=Yes'];

/**
 * One short text, split `sides` times into sentences, tokens and words, with trees, tags and lemmas, as several tools
 * might do it.
 */
export function splitTexts(sides: number): fc.Arbitrary<readonly Sentence[][]> {
  return fc
    .string({ unit: fc.constantFrom('a', 'b', 'A', '.'), minLength: 1, maxLength: 24 })
    .chain((text) => fc.tuple(...Array.from({ length: sides }, () => sideOf(text))));
}

function sideOf(text: string): fc.Arbitrary<Sentence[]> {
  const cut = fc.constantFrom('word', 'word', 'token', 'sentence');
  return fc
    .record({
      cuts: fc.array(fc.oneof({ arbitrary: cut, weight: 1 }, { arbitrary: fc.constant('none'), weight: 1 }), {
        minLength: text.length,
        maxLength: text.length,
      }),
      choices: fc.infiniteStream(fc.nat(1_000_000)),
    })
    .map(({ cuts, choices }) => {
      const choose = () => choices.next().value as number;
      const lines = sentencesOf(text, cuts).map((tokens) => conllu(tokens, choose));
      return readSentences(lines.join(''));
    });
}

/** The text cut after some characters into sentences, tokens and words. */
function sentencesOf(text: string, cuts: readonly string[]): SplitToken[][] {
  const sentences: SplitToken[][] = [[]];
  let words: string[] = [''];
  [...text].forEach((character, i) => {
    words[words.length - 1] += character;
    const cut = i === text.length - 1 ? 'end' : cuts[i];
    if (cut === 'none') return;
    if (cut === 'word') {
      words.push('');
      return;
    }
    const form = words.join('');
    sentences.at(-1)!.push(words.length > 1 ? { form, words } : { form });
    words = [''];
    if (cut === 'sentence') sentences.push([]);
  });
  return sentences;
}

function conllu(tokens: readonly SplitToken[], choose: () => number): string {
  const pick = (values: readonly string[]) => values[choose() % values.length];
  const n = tokens.reduce((sum, { words }) => sum + (words?.length ?? 1), 0);
  const lines: string[] = [];
  let d = 0;
  for (const { form, words } of tokens) {
    if (words !== undefined) lines.push(`${d + 1}-${d + words.length}\t${form}${'\t_'.repeat(8)}`);
    for (const part of words ?? [form]) {
      d++;
      const word = words === undefined ? part : pick([part, part, part.toLowerCase(), 'x']);
      // The head is mostly the word before, so that the trees of two sides are often alike.
      const head = choose() % 3 > 0 ? d - 1 : (choose() % (n + 1)) % d;
      const label = head === 0 ? 'root' : pick(relations);
      const lemma = pick(['_', word.toLowerCase()]);
      lines.push(
        [d, word, lemma, pick(uposTags), pick(['X', 'Y']), pick(features), head, label, '_', '_'].join('\t'),
      );
    }
  }
  return `${lines.join('\n')}\n\n`;
}
