import { type Fault, parseBatch, type SentenceParser } from '../../parsers/run/batch-parser.ts';
import { InputError, UsageError } from '../../src/errors.ts';
import { readBatch } from '../../src/treebank/reading/read-batch.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import type { ServedModel } from '../models/served-model.ts';
import { comparedJson } from './compared.ts';
import { type OpenModel, openModels } from './open-model.ts';
import { outputs } from './outputs.ts';
import type { CheckTask, CompareTask, CutTask, ExplainTask, ParseTask, Result, Task } from './task.ts';
import { type SentenceWords, sentenceWords, WORDS_NAME, type Words } from './words.ts';

/** What a thread does its tasks with. */
export interface DeskData {
  readonly models: readonly ServedModel[];
  /** Words in a sentence, at most: some parsers take time that grows with their cube. */
  readonly mostWords: number;
}

/** Words of a sentence that is to be explained, at most: explanations have figures of all pairs of words. */
const MOST_EXPLAINED = 300;

/** Does tasks, one after the other, with the models of one thread. */
export class Desk {
  private constructor(
    private readonly models: ReadonlyMap<string, OpenModel>,
    private readonly mostWords: number,
  ) {}

  static async open({ models, mostWords }: DeskData): Promise<Desk> {
    return new Desk(await openModels(models), mostWords);
  }

  do(task: Task): Result {
    try {
      switch (task.kind) {
        case 'cut':
          return this.cut(task);
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
      return faulty(error);
    }
  }

  private cut({ model, words }: CutTask): Result {
    const cut = this.sentencesOf(model, words);
    return this.check({ kind: 'check', words: cut }, cut.batch.text);
  }

  private check({ words: given }: CheckTask, text = ''): Result {
    let [sentences, words] = [0, 0];
    for (const sentence of this.read(given)) {
      sentences += 1;
      words += sentence.length;
    }
    return { text, sentences, words };
  }

  private parse({ model, words: given, steps, output, confidence }: ParseTask): Result {
    const { batch, format } = this.sentencesOf(model, given);
    const parser = this.limited(this.models.get(model)!.sentenceParser(steps));
    const to = outputs[output];
    const options = { format, to: to.format, skipInvalid: false, confidence };
    const { text, sentences, tokens: words, fault } = parseBatch(parser, batch, options);
    return { text: fault === undefined ? to.finish(text) : '', sentences, words, fault };
  }

  private compare({ models, words, ...wanted }: CompareTask): Result {
    const sentences = [...this.read(this.sentencesOf(models[0], words))];
    const parsers = models.map((name) => ({ name, parser: this.models.get(name)!.sentenceParser({}) }));
    return {
      text: comparedJson(sentences, parsers, wanted),
      sentences: sentences.length,
      words: sentences.reduce((sum, { length }) => sum + length, 0),
    };
  }

  private explain({ model, words, sentence: number, keep, request }: ExplainTask): Result {
    const sentences = [...this.read(this.sentencesOf(model, words))];
    const sentence = sentences[number - 1];
    if (sentence === undefined) {
      throw new InputError(`there is no sentence ${number}, expected 1 to ${sentences.length}`);
    }
    this.checkLength(sentence, MOST_EXPLAINED);
    try {
      const explained = this.models.get(model)!.explain(sentence, request, keep);
      return { text: JSON.stringify(explained), sentences: 1, words: sentence.length };
    } catch (error) {
      if (error instanceof UsageError) throw new InputError(error.message);
      throw error;
    }
  }

  /** The sentences, none of which may be too long. */
  private *read({ batch, format }: SentenceWords): Generator<Sentence> {
    for (const sentence of readBatch(batch, { format, expect: 'tokens', skipInvalid: false })) {
      this.checkLength(sentence);
      yield sentence;
    }
  }

  /** Text as its model cuts it, or sentences as they are. */
  private sentencesOf(model: string, words: Words): SentenceWords {
    if ('batch' in words) return words;
    const stream = this.models.get(model)!.tokenizer!.open(words.layout, WORDS_NAME);
    const found = [...stream.push(words.text), ...stream.end()];
    return sentenceWords(found.map(({ source }) => source!.text).join(''), 'conllu');
  }

  private limited(parser: SentenceParser): SentenceParser {
    const { reads, filled } = parser;
    const checked = (sentence: Sentence) => this.checkLength(sentence);
    return {
      reads,
      filled,
      parse: (sentence, options) => {
        checked(sentence);
        return parser.parse(sentence, options);
      },
      parseAll: (sentences, options) => {
        sentences.forEach(checked);
        return (
          parser.parseAll?.(sentences, options) ??
          sentences.map((sentence) => parser.parse(sentence, options))
        );
      },
    };
  }

  private checkLength({ length, source }: Sentence, most = this.mostWords): void {
    if (length <= most) return;
    const place = { file: source?.file, line: source?.line };
    throw new InputError(`a sentence of ${length} words, expected ${most} at most`, place);
  }
}

function faulty({ problem, place }: InputError): Result {
  const fault: Fault = { problem, place };
  return { text: '', sentences: 0, words: 0, fault };
}
