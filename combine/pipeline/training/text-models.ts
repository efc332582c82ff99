import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Tokenizer } from '../../../annotators/annotator.ts';
import { readWords, textSentences } from '../../../annotators/text-words.ts';
import { jsonDigest } from '../../../src/digest.ts';
import { OptionError } from '../../../src/errors.ts';
import { DEFAULT_ENCODING, encodingNamed } from '../../../src/files/encoding.ts';
import { givenFile } from '../../../src/files/given-file.ts';
import { Store } from '../../../src/files/store.ts';
import { TextFile } from '../../../src/files/text-file.ts';
import { saveEncoder } from '../../../src/learn/encoder/encoder-file.ts';
import { saveVectors } from '../../../src/learn/vectors/saved-vectors.ts';
import { moduleFile, programFrom } from '../../../src/program-digest.ts';
import { CheckpointFile } from '../../../src/training/checkpoint-file.ts';
import {
  encoderOptions,
  removeState,
  stateFiles,
  trainEncoder,
} from '../../../src/training/encoder/train.ts';
import { skipGramOptions } from '../../../src/training/skip-gram/options.ts';
import { trainVectors } from '../../../src/training/skip-gram/train.ts';
import type { TrainPipelineOptions } from './options.ts';

/** A tokenizer that splits the text, and all that it depends on (JSON data). */
export type TextTokenizer = { readonly tokenizer: Tokenizer; readonly origin: readonly unknown[] };

/** The models of a text, with default options. Training speed, roughly: words per minute on one core, all epochs included. */
const models = {
  vectors: {
    name: 'word vectors',
    program: moduleFile('src/training/skip-gram/train'),
    options: skipGramOptions.parse({}),
    wordsPerMinute: 2_000_000,
  },
  encoder: {
    name: 'a language model',
    program: moduleFile('src/training/encoder/train'),
    options: encoderOptions.parse({}),
    wordsPerMinute: 65_000,
  },
};
export type TextModel = keyof typeof models;

/** Trains word vectors and a language model on raw text, or takes them from the cache. */
export class TextModels {
  private readonly sources: readonly { readonly file: string; readonly digest: string }[];
  private readonly run: TrainPipelineOptions & { readonly seed: number; readonly jobs: number };

  private constructor(
    private readonly text: readonly string[],
    private readonly splitting: TextTokenizer | undefined,
    run: TrainPipelineOptions,
    private readonly store: Store,
  ) {
    this.sources = text.map(givenFile).map(({ path, digest }) => ({ file: basename(path), digest }));
    this.run = { ...run, seed: run.seed ?? 1, jobs: run.jobs ?? 1 };
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

  /** Returns the path of each model. A training that was stopped is resumed. */
  async train(wanted: readonly TextModel[]): Promise<Partial<Record<TextModel, string>>> {
    const paths = Object.fromEntries(wanted.map((model) => [model, this.pathOf(model)]));
    const missing = wanted.filter((model) => !existsSync(paths[model]));
    for (const part of wanted) {
      this.tell(part, 0);
      const isKept = !missing.includes(part);
      const learn = part === 'vectors' ? this.learnVectors : this.learnEncoder;
      if (!isKept) await learn.call(this, paths[part], missing);
      this.run.onProgress?.({ part, share: 1, isOver: true, isKept });
    }
    return paths;
  }

  private pathOf(model: TextModel): string {
    const { program, options } = models[model];
    const digests = this.sources.map(({ digest }) => digest);
    const encoding = encodingNamed(this.run.encoding);
    const origin = [
      programFrom([program], new Set()),
      options,
      this.run.seed,
      digests,
      this.splitting?.origin,
      ...(encoding === DEFAULT_ENCODING ? [] : [encoding]),
    ];
    return this.store.file(`${jsonDigest(origin)}.${model}`);
  }

  private async learnVectors(path: string, missing: readonly TextModel[]): Promise<void> {
    const { options } = models.vectors;
    const { seed, jobs, signal, encoding } = this.run;
    const reading = { encoding, tokenizer: this.splitting?.tokenizer, signal };
    const { text } = await readWords(this.text, reading);
    this.announce(text.count, missing);
    const onProgress = (done: number, total: number) => this.tell('vectors', done / total);
    const checkpoints = new CheckpointFile(path, { resume: true });
    const vectors = await trainVectors(text, options, { seed, jobs, signal, checkpoints, onProgress });
    saveVectors(path, vectors, { options, seed, text: this.sources });
    checkpoints.remove();
  }

  private async learnEncoder(path: string, missing: readonly TextModel[]): Promise<void> {
    const { options } = models.encoder;
    const { seed, jobs, signal } = this.run;
    const files = this.text.map((name) => new TextFile(name, this.run.encoding));
    const run = {
      ...{ options, seed, jobs, signal, checkpoint: path, resume: stateFiles(path).some(existsSync) },
      onText: (words: number) => {
        if (missing[0] === 'encoder') this.announce(words, missing);
      },
      onShare: (share: number) => this.tell('encoder', share),
    };
    const sentences = textSentences(files, this.splitting?.tokenizer);
    const { encoder, softmax, words, losses } = await trainEncoder(sentences, this.text.join(', '), run);
    saveEncoder(path, encoder, { options, seed, text: this.sources, words, losses }, softmax);
    removeState(path);
  }

  /** Reports, before the first training, how long all of them will take. */
  private announce(words: number, missing: readonly TextModel[]): void {
    const names = missing.map((model) => models[model].name).join(' and ');
    const minutes = missing.reduce((sum, model) => sum + words / models[model].wordsPerMinute, 0);
    this.run.onNotice?.(
      `training ${names} first, on ${words.toLocaleString('en-US')} words of text: about ${Math.ceil(minutes)} min on one core`,
    );
  }

  private tell(part: TextModel, share: number): void {
    this.run.onProgress?.({ part, share });
  }
}
