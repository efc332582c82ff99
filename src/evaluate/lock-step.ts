import { InputError } from '../errors.ts';
import { checkTreeSize, type Sentence, type SentenceSource, type Treebank } from '../treebank/sentence.ts';
import { quote } from '../visible.ts';

export type Sentences = Treebank | AsyncIterable<Sentence>;

/** The words of a sentence, laid out as in `Sentence`, and their places for messages. */
export type Tokens = Pick<Sentence, 'length' | 'forms'> & {
  readonly source?: Pick<SentenceSource, 'file' | 'line' | 'lines'> | undefined;
};

/** A sentence in two treebanks; `number` counts from 1. */
export type Pair<T> = { readonly gold: T; readonly predicted: T; readonly number: number };

interface Row<T> extends Pick<Pair<T>, 'number'> {
  readonly sentences: readonly T[];
}

/** Reads two treebanks in lock step. Throws as `sentenceRows` does, and if a head is missing or out of range. */
export async function* sentencePairs(gold: Sentences, predicted: Sentences): AsyncGenerator<Pair<Sentence>> {
  for await (const { sentences, number } of sentenceRows([gold, predicted])) {
    const pair = { gold: sentences[0], predicted: sentences[1], number };
    checkHeads(pair.gold, 'gold', number);
    checkHeads(pair.predicted, 'predicted', number);
    yield pair;
  }
}

/** Reads treebanks in lock step. Throws `InputError` if forms or numbers of sentences differ. */
export async function* sentenceRows(treebanks: readonly Sentences[]): AsyncGenerator<Row<Sentence>> {
  for await (const row of inLockStep<Sentence>(treebanks)) {
    const [gold, ...others] = row.sentences;
    for (const predicted of others) checkTokens({ gold: gold!, predicted, number: row.number });
    yield row;
  }
}

/** Reads streams in lock step without comparing words. Throws `InputError` for different numbers of sentences. */
export async function* inLockStep<T extends Tokens>(streams: readonly AsyncIterable<T>[]) {
  const readers = streams.map((stream) => stream[Symbol.asyncIterator]());
  try {
    for (let number = 1; ; number++) {
      const next: IteratorResult<T>[] = [];
      for (const [i, reader] of readers.entries()) {
        next.push(await reader.next());
        const [first, other] = [next[0], next[i]];
        if (other.done && !first.done)
          throw noCounterpart(first.value, 'gold', number, streams[i], 'predicted');
        if (first.done && !other.done)
          throw noCounterpart(other.value, 'predicted', number, streams[0], 'gold');
      }
      if (next[0].done) return;
      yield { sentences: next.map(({ value }) => value), number };
    }
  } finally {
    for (const reader of readers) await reader.return?.();
  }
}

export type Role = 'gold' | 'predicted';

function noCounterpart(sentence: Tokens, role: Role, number: number, other: object, otherRole: Role) {
  const name = 'name' in other ? other.name : `the ${otherRole} side`;
  const problem = `sentence ${number} has no counterpart, ${name} ends after ${number - 1}`;
  return errorAt(sentence, 0, number, role, problem);
}

/** Throws `InputError` if the forms of two sentences differ. */
export function checkTokens(pair: Pair<Tokens>): void {
  const mismatch = tokenMismatch(pair);
  if (mismatch !== undefined) throw mismatch;
}

/** The error that names the first place, in both files, at which forms differ; undefined if they are the same. */
export function tokenMismatch({ gold, predicted, number }: Pair<Tokens>): InputError | undefined {
  const shared = Math.min(gold.length, predicted.length);
  for (let d = 1; d <= shared; d++) {
    if (gold.forms[d] !== predicted.forms[d]) {
      const other = `${where(predicted, d, number, 'predicted')} has ${quote(predicted.forms[d])}`;
      return errorAt(gold, d, number, 'gold', `token ${d} is ${quote(gold.forms[d])}, but ${other}`);
    }
  }
  const d = shared + 1;
  if (gold.length > shared) {
    const other = `the sentence at ${where(predicted, 0, number, 'predicted')} ends after ${tokens(shared)}`;
    return errorAt(gold, d, number, 'gold', `token ${d} is ${quote(gold.forms[d])}, but ${other}`);
  }
  if (predicted.length > shared) {
    const other = `${where(predicted, d, number, 'predicted')} has token ${d}, ${quote(predicted.forms[d])}`;
    return errorAt(gold, 0, number, 'gold', `the sentence ends after ${tokens(shared)}, but ${other}`);
  }
  return undefined;
}

/** Throws `InputError` if a head is missing or out of range, `UsageError` for more or fewer heads or labels than tokens. */
export function checkHeads(sentence: Sentence, role: Role, number: number): void {
  checkTreeSize(sentence, sentence.length);
  for (let d = 1; d <= sentence.length; d++) {
    const head = sentence.heads[d];
    if (head < 0) throw errorAt(sentence, d, number, role, `token ${d} has no head, expected one to score`);
    if (head > sentence.length) {
      const expected = `expected a head from 0 to ${sentence.length}`;
      throw errorAt(sentence, d, number, role, `the head of token ${d} is ${head}, ${expected}`);
    }
  }
}

/** Makes an error at token d (0: the sentence); without a source, the sentence is named by its number. */
export function errorAt(sentence: Tokens, d: number, number: number, role: Role, problem: string) {
  const place = placeOf(sentence, d);
  return new InputError(place === undefined ? `${role} sentence ${number}: ${problem}` : problem, place);
}

/** Names the place of token d: `file:line`, or the sentence by its number. */
export function where(sentence: Tokens, d: number, number: number, role: Role): string {
  const place = placeOf(sentence, d);
  return place === undefined ? `${role} sentence ${number}` : `${place.file}:${place.line}`;
}

const placeOf = ({ source }: Tokens, d: number) =>
  source && { file: source.file, line: d === 0 ? source.line : source.lines[d] };
const tokens = (n: number): string => (n === 1 ? '1 token' : `${n} tokens`);
