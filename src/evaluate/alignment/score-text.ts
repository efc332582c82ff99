import { InputError } from '../../errors.ts';
import { quote } from '../../treebank/reading/quote.ts';
import type { Sentence } from '../../treebank/sentence.ts';
import { AlignedCounts, type TextScores } from './counts.ts';
import { PlacedWords } from './placed-words.ts';

/** Characters of the place where two texts part, in a message. */
const SHOWN = 20;

/**
 * Scores a text that has been split into tokens, words and sentences in another way than gold. Reads both
 * sides as far as the next place where both end a sentence: no more of them is in memory.
 *
 * @throws InputError where the texts are not the same, blanks apart
 */
export async function scoreText(
  gold: AsyncIterable<Sentence>,
  predicted: AsyncIterable<Sentence>,
  signal?: AbortSignal,
): Promise<TextScores> {
  const counts = new AlignedCounts();
  for await (const block of alignedBlocks(gold, predicted)) {
    signal?.throwIfAborted();
    counts.add(block.gold, block.predicted);
  }
  return counts.metrics;
}

/** Some sentences of either side, over the same characters. */
export interface AlignedBlock {
  readonly gold: PlacedWords;
  readonly predicted: PlacedWords;
}

/**
 * The shortest stretches of a text at whose ends both sides end a sentence, one in memory at a time.
 *
 * @throws InputError where the texts are not the same, blanks apart
 */
export async function* alignedBlocks(
  gold: AsyncIterable<Sentence>,
  predicted: AsyncIterable<Sentence>,
): AsyncGenerator<AlignedBlock> {
  const readers = [gold[Symbol.asyncIterator](), predicted[Symbol.asyncIterator]()] as const;
  try {
    for (let start = 0; ; ) {
      const block = { gold: new PlacedWords(start), predicted: new PlacedWords(start) };
      const sides = [block.gold, block.predicted] as const;
      do {
        const behind = sides[0].end <= sides[1].end ? 0 : 1;
        const { value, done } = await readers[behind].next();
        if (done) return await checkEnd(sides, behind, readers);
        sides[behind].add(value);
        checkCharacters(block);
      } while (sides[0].end !== sides[1].end);
      yield block;
      start = sides[0].end;
    }
  } finally {
    for (const reader of readers) await reader.return?.();
  }
}

/** Throws an `InputError` unless the other side ends, too. */
async function checkEnd(
  sides: readonly [PlacedWords, PlacedWords],
  ended: 0 | 1,
  readers: readonly [AsyncIterator<Sentence>, AsyncIterator<Sentence>],
): Promise<void> {
  const other = ended === 0 ? 1 : 0;
  if (sides[other].end === sides[ended].end) {
    const { value, done } = await readers[other].next();
    if (done) return;
    sides[other].add(value);
  }
  const left = sides[other].text.slice(sides[ended].text.length);
  const names = ['gold', 'predicted'];
  throw new InputError(
    `the ${names[ended]} text ends, but the ${names[other]} one goes on with ${shown(left)}`,
    placeOf(sides[other], sides[ended].end),
  );
}

/** Throws an `InputError` where what both sides have of the text differs. */
function checkCharacters({ gold, predicted }: AlignedBlock): void {
  const shared = Math.min(gold.text.length, predicted.text.length);
  if (gold.text.slice(0, shared) === predicted.text.slice(0, shared)) return;
  let at = 0;
  while (gold.text[at] === predicted.text[at]) at++;
  const place = placeOf(predicted, predicted.start + at);
  const where = place.file === undefined ? '' : ` at ${place.file}:${place.line}`;
  throw new InputError(
    `the text goes on with ${shown(gold.text.slice(at))}, but with ${shown(predicted.text.slice(at))}${where}`,
    placeOf(gold, gold.start + at),
  );
}

function shown(text: string): string {
  return quote(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
}

/** The file and line of the word at a character. */
function placeOf({ words }: PlacedWords, at: number) {
  const word = words.find(({ end }) => end > at) ?? words.at(-1);
  const { source } = word?.sentence ?? {};
  return { file: source?.file, line: source?.lines[word?.number ?? 0] };
}
