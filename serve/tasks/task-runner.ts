import { withRanges } from '../../annotators/token-ranges.ts';
import { SentenceBatches } from '../../annotators/tokenize-file.ts';
import { comparedSentences, parseWithAll } from '../../combine/vote/compared-sentences.ts';
import { type Fault, parseBatch } from '../../parsers/run/batch-parser.ts';
import { missingColumns, noticingColumns } from '../../parsers/run/column-check.ts';
import { InputError, NO_FILE, UsageError } from '../../src/errors.ts';
import { readBatch } from '../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { type OpenModel, openModels } from './open-model.ts';
import type { ServedModel } from './served-models.ts';
import type { CheckTask, CompareTask, ExplainTask, ParseTask, Result, Task, TokenizeTask } from './task.ts';
import { outputs, type RequestInput, type SentenceInput, SLICE } from './texts.ts';

export interface TaskRunnerData {
  readonly models: readonly ServedModel[];
  /** Maximum length of a sentence in words: some parsers take cubic time. */
  readonly mostWords: number;
}

/** Maximum length of a sentence to explain, in words: explanations have figures for every pair of words. */
const MOST_EXPLAINED = 300;

/** Runs tasks in one thread, with models that it has opened. */
export class TaskRunner {
  private constructor(
    private readonly models: ReadonlyMap<string, OpenModel>,
    private readonly mostWords: number,
  ) {}

  static async open({ models, mostWords }: TaskRunnerData): Promise<TaskRunner> {
    return new TaskRunner(await openModels(models), mostWords);
  }

  run(task: Task): Result {
    try {
      switch (task.kind) {
        case 'tokenize':
          return this.tokenize(task);
        case 'check':
          return this.check(task);
        case 'parse':
          return this.parse(task);
        case 'compare':
          return this.compare(task);
        case 'explain':
          return this.explain(task);
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const fault: Fault = { problem: error.problem, place: error.place };
      return { text: '', words: 0, fault };
    }
  }

  private tokenize({ model, input }: TokenizeTask): Result {
    const split = this.sentencesOf(model, input);
    const batches = new SentenceBatches(NO_FILE, SLICE);
    const slices = [...batches.add(split.batch.sentences!), ...batches.end()];
    const texts = slices.map(({ sentences: _, ...text }) => text);
    return { ...this.check({ kind: 'check', input: split }), slices: texts };
  }

  private check({ input: given }: CheckTask): Result {
    let words = 0;
    for (const { length } of this.read(given)) words += length;
    return { text: '', words };
  }

  private parse({ model, input: given, steps, output, confidence }: ParseTask): Result {
    const input = this.sentencesOf(model, given);
    const sentences = [...this.read(input)];
    const parser = this.models.get(model)!.sentenceParser(steps);
    const { format, isText } = input;
    const to = outputs[output];
    const options = { format, to: to.format, skipInvalid: false, confidence, isText };
    const parsed = parseBatch(parser, { ...input.batch, sentences }, options);
    const { tokens: words, fault, notices } = parsed;
    const text = fault === undefined ? to.finish(parsed.text) : '';
    const missing = missingColumns(parser, sentences);
    return { text, words, failed: parsed.failed.length, notices, missing, fault };
  }

  private compare({ models, input, ...wanted }: CompareTask): Result {
    const sentences = [...this.read(this.sentencesOf(models[0], input))];
    const open = models.map((name) => this.models.get(name)!);
    const parsers = open.map((model) => noticingColumns(model.sentenceParser({})));
    const { confidence } = wanted;
    const opinions = parseWithAll(parsers, open[0].isPipeline, sentences, () => ({ confidence }));
    const compared = comparedSentences(models, opinions, wanted);
    const text = compared.map((sentence) => JSON.stringify(sentence)).join(',');
    const words = sentences.reduce((sum, { length }) => sum + length, 0);
    return { text, words };
  }

  private explain({ model, input, sentence: number, keep, request }: ExplainTask): Result {
    const given = this.sentencesOf(model, input);
    const sentences = [...this.read(given)];
    const { length } = sentences;
    if (length === 0) throw new InputError('the text has no sentence');
    const sentence = sentences[number - 1];
    if (sentence === undefined)
      throw new InputError(
        `there is no sentence ${number}, expected 1${length === 1 ? '' : ` to ${length}`}`,
      );
    checkLength(sentence, MOST_EXPLAINED, given);
    try {
      const opened = this.models.get(model)!;
      const explained = opened.explain(sentence, request, keep);
      const missing = missingColumns(opened.sentenceParser({ keep }), [sentence]);
      const text = JSON.stringify({ ...explained, notices: [...missing, ...explained.notices] });
      return { text, words: sentence.length };
    } catch (error) {
      if (error instanceof UsageError) throw new InputError(error.message);
      throw error;
    }
  }

  /** Reads sentences; throws `InputError` for one that is too long. */
  private *read(input: SentenceInput): Generator<Sentence> {
    const { batch, format, first } = input;
    let number = first;
    for (const read of readBatch(batch, { format, expect: 'tokens', skipInvalid: false })) {
      const sentence = number === undefined ? read : { ...read, id: String(number++) };
      checkLength(sentence, this.mostWords, input);
      yield sentence;
    }
  }

  private sentencesOf(model: string, input: RequestInput): SentenceInput {
    if ('batch' in input) return input;
    const tokenizer = this.models.get(model)!.tokenizer!;
    const reader = input.ranges ? withRanges(tokenizer) : tokenizer;
    const stream = reader.open(input.layout, NO_FILE, { confidence: input.confidence });
    const sentences = [...stream.push(input.text.replace(/^\ufeff/, '')), ...stream.end()];
    const text = sentences.map(({ source }) => source!.text).join('');
    return { batch: { file: NO_FILE, line: 1, text, sentences }, format: 'conllu', isText: true };
  }
}

function checkLength({ length, source, id }: Sentence, most: number, { isText }: SentenceInput): void {
  if (length <= most) return;
  const problem = `a sentence of ${length} words, expected ${most} at most`;
  // The sentences of a text have lines of CoNLL-U, which the client does not see.
  if (isText) throw new InputError(`sentence ${id}: ${problem}`);
  throw new InputError(problem, { file: source?.file, line: source?.line });
}
