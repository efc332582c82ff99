import { sentencesOf } from '../../../combine/pipeline/run/pipeline-input.ts';
import { ColumnCheck } from '../../../parsers/run/column-check.ts';
import { InputError } from '../../../src/errors.ts';
import { TextFile } from '../../../src/files/text/text-file.ts';
import { TextStart } from '../../../src/files/text/text-start.ts';
import { readBatch } from '../../../src/treebank/reading/read-batch.ts';
import { openTreebank } from '../../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { chosenSentences } from '../../options/sentence-choice.ts';
import { warn } from '../../terminal/output.ts';
import { adviseOnText } from '../parse/plain-text.ts';
import type { ExplainFlags } from './command.ts';
import type { Explainer } from './explainer.ts';

/** The sentence that is asked for. */
export interface Asked {
  readonly sentence: Sentence;
  /** From 1. */
  readonly number: number;
  /** The same with the right tree, where that is known. */
  readonly gold?: Sentence | undefined;
}

/** Finds the sentence in a file, and its gold tree in that of the right trees. */
export async function askedSentence(file: string, explainer: Explainer, flags: ExplainFlags): Promise<Asked> {
  const { sentence: number = 1, id, gold, allowMissing, format, encoding } = flags;
  const wanted = id === undefined ? { ranges: [{ from: number, to: number }] } : { id };
  const input = await adviseOnText(sentencesIn(file, explainer, flags));
  const asked = await adviseOnText(only(input, wanted, file));
  const check = new ColumnCheck(explainer);
  check.look(asked.sentence);
  check.settle(file, { allowMissing, onWarning: warn });
  if (gold === undefined) return asked;
  const right = await openTreebank(gold, { format, encoding, expect: 'trees' });
  const found = await only(right, { ranges: [{ from: asked.number, to: asked.number }] }, gold);
  checkWords(asked.sentence, found.sentence, gold);
  return { ...asked, gold: found.sentence };
}

async function only(
  sentences: AsyncIterable<Sentence>,
  wanted: Parameters<typeof chosenSentences>[1],
  file: string,
): Promise<Asked> {
  const chosen = chosenSentences(sentences, wanted, { file, sentenceOf: (sentence) => sentence });
  for await (const { item, number } of chosen) return { sentence: item, number };
  throw new InputError('no sentences', { file });
}

/** The sentences of a file; of a text, those that the tokenizer finds. */
async function sentencesIn(
  file: string,
  { tokenizer }: Explainer,
  { format, encoding }: ExplainFlags,
): Promise<AsyncIterable<Sentence>> {
  if (tokenizer === undefined) return openTreebank(file, { format, encoding, expect: 'tokens' });
  const source = await sentencesOf(new TextStart(new TextFile(file, encoding, false)), tokenizer, { format });
  return batchBySentence(source);
}

async function* batchBySentence(source: Awaited<ReturnType<typeof sentencesOf>>): AsyncGenerator<Sentence> {
  for await (const batch of source.batches())
    yield* readBatch(batch, { format: source.format, expect: 'tokens' });
}

function checkWords({ forms }: Sentence, gold: Sentence, file: string): void {
  const isSame = forms.length === gold.forms.length && forms.every((form, d) => form === gold.forms[d]);
  if (isSame) return;
  throw new InputError('the gold sentence has other words', { file, line: gold.source?.line });
}
