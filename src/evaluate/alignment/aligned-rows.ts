import type { Sentence } from '../../treebank/sentence.ts';
import { multiwordTokens } from '../../treebank/surface/surface-tokens.ts';
import { checkHeads, type Sentences } from '../lock-step.ts';
import { charactersOf } from './align.ts';
import type { Counterpart } from './counterpart.ts';
import { DifferingStretch } from './differing-stretch.ts';

/** A gold sentence, and what every parser makes of it. */
export interface AlignedRow {
  readonly gold: Sentence;
  /** One a parser. */
  readonly counterparts: readonly Counterpart[];
}

/**
 * Reads gold and one or more parsers' trees of the same text side by side. While a parser's sentences have gold's
 * words, they are what it says; where they part, its words are aligned with gold's as far as the next place where
 * both end a sentence. No more than that is in memory.
 *
 * @param compared whether the words alone are compared, so that there may be no heads
 * @throws InputError where the texts are not the same, blanks apart; of trees, where a head is missing or out of range
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

/** One parser's sentences, as far as gold has been read. */
class AlignedParser {
  /** What it says of the gold sentences that have not been asked for. */
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

  /** Reads as far as the next gold sentence goes. */
  async read(gold: Sentence, number: number): Promise<void> {
    if (this.stretch === undefined) {
      const sentence = await this.next();
      if (sentence !== undefined && haveSameWords(gold, sentence) && haveSameLength(gold, sentence)) {
        this.counterparts.push(sentence);
        return;
      }
      this.stretch = new DifferingStretch();
      if (sentence !== undefined) this.stretch.addPredicted(sentence, this.number);
    }
    const { stretch } = this;
    stretch.addGold(gold, number);
    while (stretch.isBehind) {
      const sentence = await this.next();
      if (sentence === undefined) throw stretch.goesOn('gold', nameOf(this.predicted, 'the predicted side'));
      stretch.addPredicted(sentence, this.number);
    }
    if (!stretch.isClosed) return;
    this.counterparts.push(...stretch.counterparts());
    this.stretch = undefined;
  }

  /** Gold has ended: throws an `InputError` unless this does, too. */
  async checkEnd(): Promise<void> {
    const stretch = this.stretch ?? new DifferingStretch();
    if (this.stretch === undefined) {
      const sentence = await this.next();
      if (sentence === undefined) return;
      stretch.addPredicted(sentence, this.number);
    }
    throw stretch.goesOn('predicted', nameOf(this.gold, 'the gold side'));
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

function haveSameWords(gold: Sentence, predicted: Sentence): boolean {
  if (gold.length !== predicted.length) return false;
  for (let d = 1; d <= gold.length; d++) if (gold.forms[d] !== predicted.forms[d]) return false;
  return true;
}

/** Whether both are as long in characters, as far as both tell what their words are made of. */
function haveSameLength(gold: Sentence, predicted: Sentence): boolean {
  if (multiwordTokens(gold).size === 0 || multiwordTokens(predicted).size === 0) return true;
  return charactersOf(gold).length === charactersOf(predicted).length;
}

function nameOf(sentences: Sentences, otherwise: string): string {
  return 'name' in sentences ? sentences.name : otherwise;
}
