import { InputError, type Place } from '../errors.ts';
import { quote } from '../treebank/quote.ts';
import type { Sentence, Treebank } from '../treebank/sentence.ts';

/** Sentences to compare: a treebank, or a stream without a name. */
export type Sentences = Treebank | AsyncIterable<Sentence>;

export interface SentencePair {
  readonly gold: Sentence;
  readonly predicted: Sentence;
}

/**
 * Reads gold and predicted sentences in lock step, one pair in memory at a time. Throws an `InputError` that
 * names the first place, in both files, where the tokens' forms or the numbers of sentences differ, or where
 * a head is missing or out of range.
 */
export async function* sentencePairs(gold: Sentences, predicted: Sentences): AsyncGenerator<SentencePair> {
  const predictions = predicted[Symbol.asyncIterator]();
  let number = 0;
  try {
    for await (const goldSentence of gold) {
      number++;
      const next = await predictions.next();
      if (next.done === true) throw noCounterpart(goldSentence, 'gold', number, predicted, 'predicted');
      const pair = { gold: goldSentence, predicted: next.value };
      checkPair(pair, number);
      yield pair;
    }
    const next = await predictions.next();
    if (next.done !== true) throw noCounterpart(next.value, 'predicted', number + 1, gold, 'gold');
  } finally {
    await predictions.return?.();
  }
}

type Role = 'gold' | 'predicted';

function noCounterpart(sentence: Sentence, role: Role, number: number, other: Sentences, otherRole: Role) {
  const name = 'name' in other ? other.name : `the ${otherRole} side`;
  const problem = `sentence ${number} has no counterpart, ${name} ends after ${number - 1}`;
  return errorAt(sentence, 0, role, number, problem);
}

function checkPair({ gold, predicted }: SentencePair, number: number): void {
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
  checkHeads(gold, 'gold', number);
  checkHeads(predicted, 'predicted', number);
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
function errorAt(sentence: Sentence, d: number, role: Role, number: number, problem: string): InputError {
  const place = placeOf(sentence, d);
  return place === undefined
    ? new InputError(`${where(sentence, d, role, number)}: ${problem}`)
    : new InputError(problem, place);
}

function where(sentence: Sentence, d: number, role: Role, number: number): string {
  const place = placeOf(sentence, d);
  return place === undefined ? `${role} sentence ${number}` : `${place.file}:${place.line}`;
}

function placeOf({ source }: Sentence, d: number): Place | undefined {
  return source && { file: source.file, line: source.lines[d] };
}

function tokens(n: number): string {
  return n === 1 ? '1 token' : `${n} tokens`;
}
