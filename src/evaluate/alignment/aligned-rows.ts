import type { InputError } from '../../errors.ts';
import { quote } from '../../treebank/reading/quote.ts';
import type { Sentence } from '../../treebank/sentence.ts';
import { multiwordTokens } from '../../treebank/surface/surface-tokens.ts';
import { checkHeads, errorAt, type Role, type Sentences, where } from '../lock-step.ts';
import { Block } from './block.ts';
import type { Counterpart } from './counterpart.ts';
import { charactersOf, type PlacedWords } from './placed-words.ts';
import { SharedText } from './shared-text.ts';

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
  private block: OpenBlock | undefined;

  constructor(
    private readonly predicted: Sentences,
    private readonly gold: Sentences,
    private readonly check: typeof checkHeads,
  ) {
    this.reader = predicted[Symbol.asyncIterator]();
  }

  /** Reads as far as the next gold sentence goes. */
  async read(gold: Sentence, number: number): Promise<void> {
    if (this.block === undefined) {
      const sentence = await this.next();
      if (sentence !== undefined && haveSameWords(gold, sentence) && haveSameLength(gold, sentence)) {
        this.counterparts.push(sentence);
        return;
      }
      this.block = new OpenBlock();
      if (sentence !== undefined) this.block.addPredicted(sentence, this.number);
    }
    const { block } = this;
    block.addGold(gold, number);
    while (block.isBehind) {
      const sentence = await this.next();
      if (sentence === undefined) throw block.goesOn('gold', nameOf(this.predicted, 'the predicted side'));
      block.addPredicted(sentence, this.number);
    }
    if (!block.isClosed) return;
    this.counterparts.push(...block.counterparts());
    this.block = undefined;
  }

  /** Gold has ended: throws an `InputError` unless this does, too. */
  async checkEnd(): Promise<void> {
    const block = this.block ?? new OpenBlock();
    if (this.block === undefined) {
      const sentence = await this.next();
      if (sentence === undefined) return;
      block.addPredicted(sentence, this.number);
    }
    throw block.goesOn('predicted', nameOf(this.gold, 'the gold side'));
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

/** A block as it is read: checks that both sides have the same characters. */
class OpenBlock extends Block {
  private readonly text = new SharedText();

  addGold(sentence: Sentence, number: number): void {
    this.take(this.gold, sentence, number);
  }

  addPredicted(sentence: Sentence, number: number): void {
    this.take(this.predicted, sentence, number);
  }

  /** Whether the parser's sentences are to be read on. */
  get isBehind(): boolean {
    return this.predicted.end < this.gold.end;
  }

  get isClosed(): boolean {
    return this.predicted.end === this.gold.end;
  }

  /** What to say where one side goes on after the other has ended. */
  goesOn(role: Role, ended: string): InputError {
    const [side, other] = role === 'gold' ? [this.gold, this.predicted] : [this.predicted, this.gold];
    const [longer, shorter] = role === 'gold' ? ['gold', 'predicted'] : ['predicted', 'gold'];
    const rest = quote(this.text.rest);
    const problem = `the ${shorter} text ends, but the ${longer} one goes on with ${rest}, ${ended} does not`;
    return errorAt(...placeIn(side, other.end), role, problem);
  }

  private take(side: PlacedWords, sentence: Sentence, number: number): void {
    const start = side.end;
    const text = side.add(sentence, number);
    const same = this.text.take(text);
    if (same >= 0) throw this.parting(start + same, side === this.gold, text.slice(same), same);
  }

  /** @param text the rest of the text that was taken last, which parts after `same` characters */
  private parting(at: number, isGold: boolean, text: string, same: number): InputError {
    const { gold, predicted } = this;
    const [place, otherPlace] = [placeIn(gold, at), placeIn(predicted, at)];
    const other = where(...otherPlace, 'predicted');
    const [a, b] = [gold.at(at), predicted.at(at)];
    if (a?.start === b?.start && a?.isPart === false && b?.isPart === false) {
      const forms = [place, otherPlace].map(([sentence, d]) => quote(sentence.forms[d]));
      return errorAt(...place, 'gold', `token ${a.number} is ${forms[0]}, but ${other} has ${forms[1]}`);
    }
    const rest = this.text.rest.slice(same);
    const [ours, theirs] = (isGold ? [text, rest] : [rest, text]).map(quote);
    return errorAt(...place, 'gold', `the text goes on with ${ours}, but with ${theirs} at ${other}`);
  }
}

/** The sentence in which a character is, the word, and the sentence's number in the treebank. */
function placeIn(side: PlacedWords, at: number): [sentence: Sentence, d: number, number: number] {
  const word = side.at(at);
  const { sentence, number } = side.sentences[word?.of ?? 0];
  return [sentence, word?.number ?? 0, number];
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
