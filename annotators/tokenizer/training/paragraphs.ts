import type { Random } from '../../../src/learn/random.ts';
import type { Sentence, Treebank } from '../../../src/treebank/sentence.ts';
import { inText, spacesAfter, startsParagraph, surfaceTokens } from '../../../src/treebank/surface.ts';

/** A token of the treebank, and where it stands in its paragraph's text. */
export interface GoldToken {
  readonly start: number;
  readonly end: number;
  readonly form: string;
  /** Its words, where they are several. */
  readonly words?: readonly string[] | undefined;
}

/** A paragraph as it was before it was cut. */
export interface Paragraph {
  readonly text: string;
  readonly tokens: readonly GoldToken[];
  /** Of each sentence, one more than the index of its last token. */
  readonly sentenceEnds: readonly number[];
}

class Draft implements Paragraph {
  text = '';
  readonly tokens: GoldToken[] = [];
  readonly sentenceEnds: number[] = [];

  add(sentence: Sentence): void {
    for (const { form, first, last, misc } of surfaceTokens(sentence)) {
      const start = this.text.length;
      this.text += inText(form, misc);
      const words = last > first ? sentence.forms.slice(first, last + 1) : undefined;
      this.tokens.push({ start, end: this.text.length, form, words });
      this.text += spacesAfter(misc);
    }
    this.sentenceEnds.push(this.tokens.length);
  }
}

/**
 * The paragraphs of a treebank. A share of them, drawn at random, is joined with the one before: what ends a
 * paragraph ends a sentence in any case, so that such ends would otherwise not be learnt from.
 */
export async function readParagraphs(
  treebank: Treebank,
  joined: number,
  random: Random,
): Promise<Paragraph[]> {
  const paragraphs: Paragraph[] = [];
  let draft: Draft | undefined;
  for await (const sentence of treebank) {
    const isJoined =
      draft !== undefined && (!startsParagraph(sentence) || random.below(1000) < 1000 * joined);
    if (draft === undefined || !isJoined) {
      draft = new Draft();
      paragraphs.push(draft);
    }
    if (draft.text !== '' && startsParagraph(sentence) && !draft.text.endsWith(' ')) draft.text += ' ';
    draft.add(sentence);
  }
  return paragraphs;
}

/** The text of a treebank as it was before it was cut, with a blank line before each paragraph but the first. */
export async function* rawText(treebank: AsyncIterable<Sentence>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const sentence of treebank) {
    if (!isFirst && startsParagraph(sentence)) yield '\n\n';
    let text = '';
    for (const { form, misc } of surfaceTokens(sentence)) text += inText(form, misc) + spacesAfter(misc);
    yield text;
    isFirst = false;
  }
}
