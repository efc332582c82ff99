import { type Fault, parseBatch, type SentenceParser } from '../../parsers/run/batch-parser.ts';
import { InputError } from '../../src/errors.ts';
import type { TextBatch } from '../../src/treebank/reading/blocks.ts';
import type { TreebankFormat } from '../../src/treebank/reading/format.ts';
import { readBatch } from '../../src/treebank/reading/read-batch.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import type { ServedModel } from '../models/served-model.ts';
import { comparedJson } from './compared.ts';
import { type OpenModel, openModels } from './open-model.ts';
import { outputs } from './outputs.ts';
import type { CheckTask, CompareTask, CutTask, ParseTask, Result, Task, Words } from './task.ts';

/** What a thread does its tasks with. */
export interface DeskData {
  readonly models: readonly ServedModel[];
  /** Words in a sentence, at most: some parsers take time that grows with their cube. */
  readonly mostWords: number;
}

/** What messages call the words that were sent. */
export const WORDS_NAME = 'data';

interface Sentences {
  readonly batch: TextBatch;
  readonly format: TreebankFormat;
}

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
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return faulty(error);
    }
  }

  private cut({ model, text, layout }: CutTask): Result {
    const sentences = this.sentencesOf(model, { text, layout });
    return this.check({ kind: 'check', ...sentences }, sentences.batch.text);
  }

  private check({ batch, format }: CheckTask, text = ''): Result {
    let [sentences, words] = [0, 0];
    for (const sentence of readBatch(batch, { format, expect: 'tokens', skipInvalid: false })) {
      this.checkLength(sentence);
      sentences += 1;
      words += sentence.length;
    }
    return { text, sentences, words };
  }

  private parse({ model, words: given, steps, output }: ParseTask): Result {
    const { batch, format } = this.sentencesOf(model, given);
    const parser = this.limited(this.models.get(model)!.sentenceParser(steps));
    const to = outputs[output];
    const options = { format, to: to.format, skipInvalid: false };
    const { text, sentences, tokens: words, fault } = parseBatch(parser, batch, options);
    return { text: fault === undefined ? to.finish(text) : '', sentences, words, fault };
  }

  private compare({ models, words, vote }: CompareTask): Result {
    const { batch, format } = this.sentencesOf(models[0], words);
    const sentences = [...readBatch(batch, { format, expect: 'tokens', skipInvalid: false })];
    for (const sentence of sentences) this.checkLength(sentence);
    const parsers = models.map((name) => ({ name, parser: this.models.get(name)!.sentenceParser({}) }));
    return {
      text: comparedJson(sentences, parsers, vote),
      sentences: sentences.length,
      words: sentences.reduce((sum, { length }) => sum + length, 0),
    };
  }

  /** Text as its model cuts it, or sentences as they are. */
  private sentencesOf(model: string, words: Words): Sentences {
    if ('batch' in words) return words;
    const stream = this.models.get(model)!.tokenizer!.open(words.layout, WORDS_NAME);
    const found = [...stream.push(words.text), ...stream.end()];
    const text = found.map(({ source }) => source!.text).join('');
    return { batch: { file: WORDS_NAME, line: 1, text }, format: 'conllu' };
  }

  private limited(parser: SentenceParser): SentenceParser {
    const { reads, filled } = parser;
    const checked = (sentence: Sentence) => this.checkLength(sentence);
    return {
      reads,
      filled,
      parse: (sentence) => {
        checked(sentence);
        return parser.parse(sentence);
      },
      parseAll: (sentences) => {
        sentences.forEach(checked);
        return parser.parseAll?.(sentences) ?? sentences.map((sentence) => parser.parse(sentence));
      },
    };
  }

  private checkLength({ length, source }: Sentence): void {
    if (length <= this.mostWords) return;
    const place = { file: source?.file, line: source?.line };
    throw new InputError(`a sentence of ${length} words, expected ${this.mostWords} at most`, place);
  }
}

function faulty({ problem, place }: InputError): Result {
  const fault: Fault = { problem, place };
  return { text: '', sentences: 0, words: 0, fault };
}
