import type { Sentence } from '../../treebank/sentence.ts';
import { multiwordTokens } from '../../treebank/surface.ts';
import { checkHeads, type Sentences } from '../lock-step.ts';
import { charactersOf } from './align.ts';
import type { Counterpart } from './counterpart.ts';
import { DifferingStretch } from './differing-stretch.ts';

/** A gold sentence and each parser's version of it. */
export type AlignedRow = { readonly gold: Sentence; readonly counterparts: readonly Counterpart[] };

/**
 * Reads gold and parsers' trees of the same text side by side. A parser's sentence with the gold words is returned as it
 * is; otherwise, words are aligned up to the next position at which both sides end a sentence.
 * @param compared `words` if heads may be missing
 * @throws InputError if the texts differ (spaces aside) or, for trees, a head is missing or out of range
 */
export async function* alignedRows(
  gold: Sentences,
  predicted: readonly Sentences[],
  compared: 'trees' | 'words' = 'trees',
): AsyncGenerator<AlignedRow> {
  const check = compared === 'trees' ? checkHeads : () => undefined;
  const parsers = predicted.map((sentences) => new AlignedParser(sentences, gold, check));
  const waiting: Sentence[] = [];
  let number = 0;
  try {
    for await (const sentence of gold) {
      check(sentence, 'gold', ++number);
      waiting.push(sentence);
      for (const parser of parsers) await parser.read(sentence, number);
      while (parsers.every(({ counterparts }) => counterparts.length > 0)) {
        yield {
          gold: waiting.shift()!,
          counterparts: parsers.map(({ counterparts }) => counterparts.shift()!),
        };
      }
    }
    for (const parser of parsers) await parser.checkEnd();
  } finally {
    for (const parser of parsers) await parser.close();
  }
}

/** Reads one parser's sentences, and aligns them with gold where the words differ. */
class AlignedParser {
  readonly counterparts: Counterpart[] = [];
  private readonly reader: AsyncIterator<Sentence>;
  private number = 0;
  private stretch: DifferingStretch | undefined;

  constructor(
    private readonly predicted: Sentences,
    private readonly gold: Sentences,
    private readonly check: typeof checkHeads,
  ) {
    this.reader = predicted[Symbol.asyncIterator]();
  }

  async read(gold: Sentence, number: number): Promise<void> {
    if (this.stretch === undefined) {
      const sentence = await this.next();
      if (sentence !== undefined && haveSameWords(gold, sentence) && haveSameLength(gold, sentence)) {
        this.counterparts.push(sentence);
        return;
      }
      this.stretch = new DifferingStretch();
      if (sentence !== undefined) this.stretch.add('predicted', sentence, this.number);
    }
    const { stretch } = this;
    stretch.add('gold', gold, number);
    while (stretch.isBehind) {
      const sentence = await this.next();
      if (sentence === undefined)
        throw stretch.unequalLength('gold', nameOf(this.predicted, 'the predicted side'));
      stretch.add('predicted', sentence, this.number);
    }
    if (!stretch.isClosed) return;
    this.counterparts.push(...stretch.counterparts());
    this.stretch = undefined;
  }

  /** At the end of gold: throws an `InputError` unless this parser has ended, too. */
  async checkEnd(): Promise<void> {
    const stretch = this.stretch ?? new DifferingStretch();
    if (this.stretch === undefined) {
      const sentence = await this.next();
      if (sentence === undefined) return;
      stretch.add('predicted', sentence, this.number);
    }
    throw stretch.unequalLength('predicted', nameOf(this.gold, 'the gold side'));
  }

  async close(): Promise<void> {
    await this.reader.return?.();
  }

  private async next(): Promise<Sentence | undefined> {
    const { value, done } = await this.reader.next();
    if (done) return undefined;
    this.check(value, 'predicted', ++this.number);
    return value;
  }
}

export function haveSameWords(gold: Sentence, predicted: Sentence): boolean {
  if (gold.length !== predicted.length) return false;
  for (let d = 1; d <= gold.length; d++) if (gold.forms[d] !== predicted.forms[d]) return false;
  return true;
}

function haveSameLength(gold: Sentence, predicted: Sentence): boolean {
  if (multiwordTokens(gold).size === 0 || multiwordTokens(predicted).size === 0) return true;
  return charactersOf(gold).length === charactersOf(predicted).length;
}

const nameOf = (sentences: Sentences, otherwise: string) =>
  'name' in sentences ? sentences.name : otherwise;
