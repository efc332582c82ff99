import type { Tokenizer } from '../../../annotators/annotator.ts';
import { isPipeline } from '../../../annotators/registry.ts';
import { sentencesOf } from '../../../combine/pipeline/parse-with-pipeline.ts';
import { openPipeline } from '../../../combine/pipeline/saved-pipeline.ts';
import type { Parser } from '../../../parsers/parser.ts';
import { openParser } from '../../../parsers/registry.ts';
import { ColumnCheck } from '../../../parsers/run/column-check.ts';
import { InputError, UsageError } from '../../../src/errors.ts';
import type { ParseExplanation } from '../../../src/explain/explanation.ts';
import type { ExplainRequest } from '../../../src/explain/request.ts';
import { TextFile, TextStart } from '../../../src/files/text-file.ts';
import { readModelFile } from '../../../src/model/model-file.ts';
import { openTreebank, readBatch } from '../../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import type { CommonFlags } from '../../options/common.ts';
import { chosenSentences } from '../../options/sentence-choice.ts';
import { note, warn } from '../../terminal/output.ts';
import { adviseOnText } from '../parse/report.ts';

export interface ExplainFlags extends CommonFlags {
  readonly model: string;
  readonly sentence?: number;
  readonly id?: string;
  readonly gold?: string;
  readonly arc?: number;
  readonly step?: number;
  readonly html?: string;
  readonly wrong?: WrongChoice;
  readonly ascii?: boolean;
}

/** Selects the words whose errors to explain, by gold label or tag. */
export interface WrongChoice {
  readonly by: 'label' | 'tag';
  readonly value: string;
}

/** A parser or pipeline that can explain its trees; `tokenizer` if it reads text. */
export interface Explainer extends Pick<Parser, 'reads' | 'filled'> {
  readonly tokenizer?: Tokenizer | undefined;
  explain(sentence: Sentence, request: ExplainRequest): ParseExplanation;
}

/** Opens a parser or a pipeline; throws `UsageError` if it cannot explain its trees. */
export async function openExplainer(path: string): Promise<Explainer> {
  const model = readModelFile(path);
  if (isPipeline(model)) {
    const pipeline = await openPipeline(model);
    const { reads, filled } = pipeline.sentenceParser();
    const { tokenizer } = pipeline;
    return { reads, filled, tokenizer, explain: (sentence, request) => pipeline.explain(sentence, request) };
  }
  const parser = await openParser(model);
  if (parser.explain === undefined)
    throw new UsageError(`${path}: parsers of the paradigm ${parser.paradigm} cannot explain themselves`);
  return parser as Parser & Explainer;
}

export interface Asked {
  readonly sentence: Sentence;
  readonly number: number;
  readonly gold?: Sentence | undefined;
}

export async function askedSentence(file: string, explainer: Explainer, flags: ExplainFlags): Promise<Asked> {
  const { sentence: number = 1, id, gold, allowMissing, format, encoding } = flags;
  const wanted = id === undefined ? { ranges: [{ from: number, to: number }] } : { id };
  const input = await adviseOnText(sentencesIn(file, explainer, flags));
  const asked = await adviseOnText(only(input, wanted, file, flags));
  const check = new ColumnCheck(explainer);
  check.add(asked.sentence);
  check.settle(file, { allowMissing, onWarning: warn });
  if (gold === undefined) return asked;
  const right = await openTreebank(gold, { format, encoding, expect: 'trees' });
  const found = await only(right, { ranges: [{ from: asked.number, to: asked.number }] }, gold, flags);
  checkWords(asked.sentence, found.sentence, gold);
  return { ...asked, gold: found.sentence };
}

async function only(
  sentences: AsyncIterable<Sentence>,
  wanted: Parameters<typeof chosenSentences>[1],
  file: string,
  { quiet }: ExplainFlags,
): Promise<Asked> {
  const onNotice = (notice: string) => quiet || note(notice);
  const context = { file, sentenceOf: (sentence: Sentence) => sentence, onNotice };
  const chosen = chosenSentences(sentences, wanted, context);
  for await (const { item, number } of chosen) return { sentence: item, number };
  throw new InputError('no sentences', { file });
}

async function sentencesIn(file: string, { tokenizer }: Explainer, { format, encoding }: ExplainFlags) {
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
