import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Tokenizer } from '../../../annotators/annotator.ts';
import { textSentences } from '../../../annotators/text-words.ts';
import { OptionError } from '../../../src/errors.ts';
import { givenFile } from '../../../src/files/given-file.ts';
import { Store } from '../../../src/files/store.ts';
import { TextFile } from '../../../src/files/text-file.ts';
import { moduleFile, programFrom } from '../../../src/program-digest.ts';
import { saveEncoder } from '../../../src/training/encoder/saved-encoder.ts';
import {
  encoderOptions,
  removeState,
  stateFiles,
  trainEncoder,
} from '../../../src/training/encoder/train.ts';
import { digestOf } from '../../model-cache.ts';
import type { TrainPipelineOptions } from './options.ts';

const PART = 'encoder';
/** Training speed of a language model, roughly: words per minute on one core, all epochs included. */
const WORDS_PER_MINUTE = 190_000;

/** A tokenizer that splits the text, and all that it depends on (JSON data). */
export type TextTokenizer = { readonly tokenizer: Tokenizer; readonly origin: readonly unknown[] };

/**
 * Trains a language model with default options on raw text, resuming one that was stopped, or takes it from the cache.
 * Returns the path of its file.
 *
 * @param splitting how to split the text into words; absent: by plain rules
 */
export async function textEncoder(
  text: readonly string[],
  splitting: TextTokenizer | undefined,
  { store: folder, seed = 1, jobs = 1, signal, onNotice, onProgress }: TrainPipelineOptions,
): Promise<string> {
  if (folder === undefined)
    throw new OptionError((option) => `${option('text')} needs a folder for its language model`);
  const store = await Store.open(folder);
  const options = encoderOptions.parse({});
  const files = text.map((path) => new TextFile(path));
  const sources = text.map(givenFile).map(({ path, digest }) => ({ file: basename(path), digest }));
  const program = programFrom([moduleFile('src/training/encoder/train')], new Set());
  const origin = [program, options, seed, sources.map(({ digest }) => digest), splitting?.origin];
  const path = store.file(`${digestOf(origin)}.encoder`);
  onProgress?.({ part: PART, share: 0 });
  const isKept = existsSync(path);
  if (!isKept) {
    const run = {
      ...{ options, seed, jobs, signal, checkpoint: path, resume: stateFiles(path).some(existsSync) },
      onText: (words: number) => onNotice?.(timeNotice(words)),
      onShare: (share: number) => onProgress?.({ part: PART, share }),
    };
    const { encoder, softmax, words, losses } = await trainEncoder(
      textSentences(files, splitting?.tokenizer),
      text.join(', '),
      run,
    );
    saveEncoder(path, encoder, { options, seed, text: sources, words, losses }, softmax);
    removeState(path);
  }
  onProgress?.({ part: PART, share: 1, isOver: true, isKept });
  return path;
}

function timeNotice(words: number): string {
  const minutes = Math.ceil(words / WORDS_PER_MINUTE);
  return `training a language model first, on ${words.toLocaleString('en-US')} words of text: about ${minutes} min on one core`;
}
