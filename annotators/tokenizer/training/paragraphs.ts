import { mix } from '../../../src/learn/hashing.ts';
import type { Random } from '../../../src/learn/random.ts';
import { numberIn } from '../../../src/number-in.ts';
import type { Sentence, Treebank } from '../../../src/treebank/sentence.ts';
import { inText, spacesAfter, startsParagraph, surfaceTokens } from '../../../src/treebank/surface.ts';
import type { StreamOptions, Tokenizer } from '../../annotator.ts';
import { ruleOf, type SplitRule } from '../split-rules.ts';
import { PAD, Units } from '../text/units.ts';
import { EMPTY_HASH, TOKEN_PAD, TokenList } from '../token-list.ts';

export interface GoldToken {
  readonly start: number;
  readonly end: number;
  readonly form: string;
  /** Its words, if there are several. */
  readonly words?: readonly string[] | undefined;
}

/** A paragraph as raw text with its gold tokens. */
export interface Paragraph {
  readonly text: string;
  readonly tokens: readonly GoldToken[];
  /** End (exclusive) of each sentence in `tokens`. */
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

/** Reads the paragraphs of a treebank; joins a random share, to learn the sentence ends between them. */
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

/** An encoded paragraph with its gold tokens and split rules. */
export interface EncodedParagraph {
  readonly units: Units;
  readonly tokens: TokenList;
  /** The split rule of each token, −1 where it is one word; index 0 is the first token. */
  readonly rules: Int32Array;
}

/** A training example: the sentence of tokens `first` to `last` of a paragraph. */
export interface Example {
  readonly paragraph: EncodedParagraph;
  readonly first: number;
  readonly last: number;
}

export function encodeParagraph({ text, tokens }: Paragraph, rules: RuleNumbers): EncodedParagraph {
  const units = new Units().read(text);
  const list = new TokenList();
  let i = PAD;
  for (const { start, end } of tokens) {
    while (units.offsets[i] < start) i++;
    const first = i;
    let hash = EMPTY_HASH;
    for (; units.offsets[i] < end; i++) hash = mix(hash, units.lowers[i]);
    list.add(units, first, i, hash);
  }
  return { units, tokens: list, rules: Int32Array.from(tokens, (token) => rules.numberOf(token)) };
}

export function examplesOf(paragraph: EncodedParagraph, { sentenceEnds }: Paragraph): Example[] {
  return sentenceEnds.map((end, s) => {
    const first = TOKEN_PAD + (s === 0 ? 0 : sentenceEnds[s - 1]);
    return { paragraph, first, last: TOKEN_PAD + end - 1 };
  });
}

/** Numbers the split rules of multiword tokens in order of first appearance. */
export class RuleNumbers {
  readonly rules: SplitRule[] = [];
  private readonly numbers = new Map<string, number>();

  /** The number of a token's rule; −1 if it is one word. */
  numberOf({ form, words }: GoldToken): number {
    if (words === undefined) return -1;
    const rule = ruleOf(form, words);
    const number = numberIn(this.numbers, [rule.suffix, ...rule.parts].join('\t'));
    this.rules[number] ??= rule;
    return number;
  }
}

/** The raw text of a treebank, with a blank line between paragraphs. */
async function* rawText(treebank: AsyncIterable<Sentence>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const sentence of treebank) {
    if (!isFirst && startsParagraph(sentence)) yield '\n\n';
    let text = '';
    for (const { form, misc } of surfaceTokens(sentence)) text += inText(form, misc) + spacesAfter(misc);
    yield text;
    isFirst = false;
  }
}

/** Tokenizes the raw text of a treebank. */
export async function* retokenize(tokenizer: Tokenizer, gold: Treebank, options?: StreamOptions) {
  const stream = tokenizer.open('text', gold.name, options);
  for await (const text of rawText(gold)) yield* stream.push(text);
  yield* stream.end();
}
