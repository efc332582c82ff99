/** Letters and digits, joined by hyphens and apostrophes, or digits by points and commas; several full stops; else one character. */
const WORD = /[\p{L}\p{M}\p{N}]+(?:[-'’][\p{L}\p{M}\p{N}]+|(?<=\p{N})[.,:]\p{N}+)*|\.{2,}|\S/gu;
const SOFT_HYPHENS = /\u00ad/g;
const SENTENCE_END = /^(?:[.!?…。！？]|\.{2,})$/u;
const CLOSING = /^["'”’»)\]]$/u;
const LOWER_CASE = /^\p{Ll}/u;
const INITIAL = /^\p{Lu}$/u;
/** Number of characters without a blank line after which a paragraph is cut. */
const LONGEST_PARAGRAPH = 1 << 16;

/** Splits a line of text into words and punctuation marks by a regular expression. */
export const plainWords = (line: string): string[] => line.replace(SOFT_HYPHENS, '').match(WORD) ?? [];

/** Splits running text into sentences of words by simple rules, for training on large texts; blank lines end paragraphs. */
export async function* plainSentences(chunks: AsyncIterable<string>): AsyncGenerator<string[]> {
  let rest = '';
  for await (const chunk of chunks) {
    const paragraphs = (rest + chunk).split(/\r?\n[ \t]*\r?\n/);
    rest = paragraphs.pop()!;
    if (rest.length > LONGEST_PARAGRAPH) {
      const end = rest.lastIndexOf(' ') + 1 || rest.length;
      paragraphs.push(rest.slice(0, end));
      rest = rest.slice(end);
    }
    for (const paragraph of paragraphs) yield* sentencesIn(paragraph);
  }
  yield* sentencesIn(rest);
}

function* sentencesIn(paragraph: string): Generator<string[]> {
  const text = paragraph.replace(SOFT_HYPHENS, '');
  let sentence: string[] = [];
  let isOver = false;
  let end = 0;
  for (const { 0: token, index } of text.matchAll(WORD)) {
    const follows = index === end;
    end = index + token.length;
    if (isOver && !CLOSING.test(token) && !follows && !LOWER_CASE.test(token)) {
      yield sentence;
      sentence = [];
    }
    if (!CLOSING.test(token))
      isOver = SENTENCE_END.test(token) && !(token === '.' && INITIAL.test(sentence.at(-1) ?? ''));
    sentence.push(token);
  }
  if (sentence.length > 0) yield sentence;
}
