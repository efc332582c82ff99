import { InputError, type Place } from '../errors.ts';
import { quote } from '../treebank/quote.ts';
import type { Sentence, SentenceSource, Treebank } from '../treebank/sentence.ts';

/** Sentences to compare: a treebank, or a stream without a name. */
export type Sentences = Treebank | AsyncIterable<Sentence>;

export interface SentencePair {
  readonly gold: Sentence;
  readonly predicted: Sentence;
}

/** What of a sentence is compared first: its words. Laid out as in `Sentence`. */
export type Tokens = Pick<Sentence, 'length' | 'forms'> & {
  readonly source?: Pick<SentenceSource, 'file' | 'lines'> | undefined;
};

export interface Pair<T> {
  readonly gold: T;
  readonly predicted: T;
  /** Number of the sentence, from 1. */
  readonly number: number;
}

/**
 * Reads gold and predicted sentences in lock step, one pair in memory at a time. Throws an `InputError` that
 * names the first place, in both files, where the tokens' forms or the numbers of sentences differ, or where
 * a head is missing or out of range.
 */
export async function* sentencePairs(gold: Sentences, predicted: Sentences): AsyncGenerator<SentencePair> {
  for await (const pair of inLockStep<Sentence>(gold, predicted)) {
    checkTokens(pair);
    checkHeads(pair.gold, 'gold', pair.number);
    checkHeads(pair.predicted, 'predicted', pair.number);
    yield pair;
  }
}

/** Pairs of sentences, not looked into; throws an `InputError` where one side has more of them. */
export async function* inLockStep<T extends Tokens>(
  gold: AsyncIterable<T>,
  predicted: AsyncIterable<T>,
): AsyncGenerator<Pair<T>> {
  const predictions = predicted[Symbol.asyncIterator]();
  let number = 0;
  try {
    for await (const goldSentence of gold) {
      number++;
      const next = await predictions.next();
      if (next.done === true) throw noCounterpart(goldSentence, 'gold', number, predicted, 'predicted');
      yield { gold: goldSentence, predicted: next.value, number };
    }
    const next = await predictions.next();
    if (next.done !== true) throw noCounterpart(next.value, 'predicted', number + 1, gold, 'gold');
  } finally {
    await predictions.return?.();
  }
}

type Role = 'gold' | 'predicted';

export function noCounterpart(sentence: Tokens, role: Role, number: number, other: object, otherRole: Role) {
  const name = 'name' in other ? other.name : `the ${otherRole} side`;
  const problem = `sentence ${number} has no counterpart, ${name} ends after ${number - 1}`;
  return errorAt(sentence, 0, role, number, problem);
}

/** Throws an `InputError` that names the first place, in both files, where the tokens' forms differ. */
export function checkTokens({ gold, predicted, number }: Pair<Tokens>): void {
  const shared = Math.min(gold.length, predicted.length);
  for (let d = 1; d <= shared; d++) {
    if (gold.forms[d] !== predicted.forms[d]) {
      const other = `${where(predicted, d, 'predicted', number)} has ${quote(predicted.forms[d]!)}`;
      throw errorAt(gold, d, 'gold', number, `token ${d} is ${quote(gold.forms[d]!)}, but ${other}`);
    }
  }
  if (gold.length > shared) {
    const d = shared + 1;
    const other = `the sentence at ${where(predicted, 0, 'predicted', number)} ends after ${tokens(shared)}`;
    throw errorAt(gold, d, 'gold', number, `token ${d} is ${quote(gold.forms[d]!)}, but ${other}`);
  }
  if (predicted.length > shared) {
    const d = shared + 1;
    const other = `${where(predicted, d, 'predicted', number)} has token ${d}, ${quote(predicted.forms[d]!)}`;
    throw errorAt(gold, 0, 'gold', number, `the sentence ends after ${tokens(shared)}, but ${other}`);
  }
}

function checkHeads(sentence: Sentence, role: Role, number: number): void {
  for (let d = 1; d <= sentence.length; d++) {
    const head = sentence.heads[d]!;
    if (head < 0) throw errorAt(sentence, d, role, number, `token ${d} has no head, expected one to score`);
    if (head > sentence.length) {
      const expected = `expected a head from 0 to ${sentence.length}`;
      throw errorAt(sentence, d, role, number, `the head of token ${d} is ${head}, ${expected}`);
    }
  }
}

/**
 * An error at token d (0: the whole sentence); by its number in the stream where the sentence has no source.
 */
function errorAt(sentence: Tokens, d: number, role: Role, number: number, problem: string): InputError {
  const place = placeOf(sentence, d);
  return place === undefined
    ? new InputError(`${where(sentence, d, role, number)}: ${problem}`)
    : new InputError(problem, place);
}

function where(sentence: Tokens, d: number, role: Role, number: number): string {
  const place = placeOf(sentence, d);
  return place === undefined ? `${role} sentence ${number}` : `${place.file}:${place.line}`;
}

function placeOf({ source }: Tokens, d: number): Place | undefined {
  return source && { file: source.file, line: source.lines[d] };
}

function tokens(n: number): string {
  return n === 1 ? '1 token' : `${n} tokens`;
}
