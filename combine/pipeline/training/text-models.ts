import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Tokenizer } from '../../../annotators/annotator.ts';
import { readWords, textSentences } from '../../../annotators/text-words.ts';
import { OptionError } from '../../../src/errors.ts';
import { givenFile } from '../../../src/files/given-file.ts';
import { Store } from '../../../src/files/store.ts';
import { TextFile } from '../../../src/files/text-file.ts';
import { saveVectors } from '../../../src/learn/vectors/saved-vectors.ts';
import { moduleFile, programFrom } from '../../../src/program-digest.ts';
import { saveEncoder } from '../../../src/training/encoder/saved-encoder.ts';
import {
  encoderOptions,
  removeState,
  stateFiles,
  trainEncoder,
} from '../../../src/training/encoder/train.ts';
import { skipGramOptions } from '../../../src/training/skip-gram/options.ts';
import { trainVectors } from '../../../src/training/skip-gram/train.ts';
import { digestOf } from '../../model-cache.ts';
import type { TrainPipelineOptions } from './options.ts';

/** Training speed, roughly: words per minute on one core, all epochs included. */
const WORDS_PER_MINUTE = { vectors: 2_000_000, encoder: 190_000 };
const NAMES = { vectors: 'word vectors', encoder: 'a language model' };
type TextModel = keyof typeof NAMES;

/** A tokenizer that splits the text, and all that it depends on (JSON data). */
export type TextTokenizer = { readonly tokenizer: Tokenizer; readonly origin: readonly unknown[] };

/** Word vectors and a language model of raw text, trained with default options or taken from the cache. */
export class TextModels {
  private readonly sources: readonly { readonly file: string; readonly digest: string }[];

  private constructor(
    private readonly text: readonly string[],
    private readonly splitting: TextTokenizer | undefined,
    private readonly run: TrainPipelineOptions,
    private readonly store: Store,
  ) {
    this.sources = text.map(givenFile).map(({ path, digest }) => ({ file: basename(path), digest }));
  }

  /** @param splitting how to split the text into words; absent: by plain rules */
  static async open(
    text: readonly string[],
    splitting: TextTokenizer | undefined,
    run: TrainPipelineOptions,
  ): Promise<TextModels> {
    if (run.store === undefined)
      throw new OptionError((option) => `${option('text')} needs a folder for the models trained on it`);
    return new TextModels(text, splitting, run, await Store.open(run.store));
  }

  /** Returns the path of the word vectors. */
  vectors(): Promise<string> {
    const options = skipGramOptions.parse({});
    const program = moduleFile('src/training/skip-gram/train');
    return this.keptOrTrained('vectors', program, options, async (path, about, run) => {
      const { text } = await readWords(this.text, {
        tokenizer: this.splitting?.tokenizer,
        signal: run.signal,
      });
      this.announce('vectors', text.count);
      const onProgress = (done: number, total: number) => this.tell('vectors', done / total);
      saveVectors(path, await trainVectors(text, options, { ...run, onProgress }), about);
    });
  }

  /** Returns the path of the language model; one that was stopped in training is resumed. */
  encoder(): Promise<string> {
    const options = encoderOptions.parse({});
    const program = moduleFile('src/training/encoder/train');
    return this.keptOrTrained('encoder', program, options, async (path, about, run) => {
      const files = this.text.map((name) => new TextFile(name));
      const { encoder, softmax, words, losses } = await trainEncoder(
        textSentences(files, this.splitting?.tokenizer),
        this.text.join(', '),
        {
          ...{ ...run, options, checkpoint: path, resume: stateFiles(path).some(existsSync) },
          onText: (words) => this.announce('encoder', words),
          onShare: (share) => this.tell('encoder', share),
        },
      );
      saveEncoder(path, encoder, { ...about, words, losses }, softmax);
      removeState(path);
    });
  }

  private async keptOrTrained(
    model: TextModel,
    program: string,
    options: object,
    train: (path: string, about: object, run: TextRun) => Promise<void>,
  ): Promise<string> {
    const { seed = 1, jobs = 1, signal, onProgress } = this.run;
    const digests = this.sources.map(({ digest }) => digest);
    const origin = [programFrom([program], new Set()), options, seed, digests, this.splitting?.origin];
    const path = this.store.file(`${digestOf(origin)}.${model}`);
    const isKept = existsSync(path);
    this.tell(model, 0);
    if (!isKept) await train(path, { options, seed, text: this.sources }, { seed, jobs, signal });
    onProgress?.({ part: model, share: 1, isOver: true, isKept });
    return path;
  }

  private announce(model: TextModel, words: number): void {
    const minutes = Math.ceil(words / WORDS_PER_MINUTE[model]);
    this.run.onNotice?.(
      `training ${NAMES[model]} first, on ${words.toLocaleString('en-US')} words of text: about ${minutes} min on one core`,
    );
  }

  private tell(part: TextModel, share: number): void {
    this.run.onProgress?.({ part, share });
  }
}

type TextRun = Pick<TrainPipelineOptions, 'signal'> & { readonly seed: number; readonly jobs: number };
