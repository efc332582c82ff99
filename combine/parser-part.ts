import { findParadigm, writeParser } from '../parsers/registry.ts';
import { ModelWriter, modelBytes } from '../src/model/model-writer.ts';
import type { TaskContext, TaskKind } from '../src/threads/worker-pool.ts';
import type { AboutModel } from '../src/training/about-model.ts';
import { shareDone, type TrainingProgress } from '../src/training/training-run.ts';
import { type PackedSentences, packedTreebank } from '../src/treebank/packed-sentences.ts';
import { type TrainedParser, trainParser } from './train-parser.ts';

/** A parser to train as part of a larger model. */
export interface ParserTask {
  readonly paradigm: string;
  readonly options: object;
  readonly seed: number;
  readonly sentences: PackedSentences;
  readonly dev?: PackedSentences | undefined;
  /** The treebanks of the sentences, for the header of the model. */
  readonly about: Pick<AboutModel, 'train' | 'dev'>;
  readonly modules: readonly string[];
}

/** Trains the parser, in a worker thread or in this one, and returns its model file. */
export async function run(
  { paradigm, options, seed, sentences, dev, about, modules }: ParserTask,
  { signal, onShare }: TaskContext,
): Promise<SharedArrayBuffer> {
  const onProgress = (progress: TrainingProgress) => onShare(shareDone(progress));
  const asked = { options, seed, dev: dev && packedTreebank(dev), signal, onProgress };
  return bytesOf(
    await trainParser(await findParadigm(paradigm, modules), packedTreebank(sentences), asked),
    about,
  );
}

export const parserKind: TaskKind<ParserTask, SharedArrayBuffer> = {
  module: new URL('./parser-part.js', import.meta.url),
  run,
};

/** The model file of a parser, with the treebanks of `about` in its header. */
export function bytesOf(
  { parser, about: learnt }: TrainedParser,
  about: ParserTask['about'],
): SharedArrayBuffer {
  const writer = new ModelWriter();
  writeParser(writer, parser, { ...learnt, ...about });
  return modelBytes(writer);
}

/** The progress of one part of a model that has several. */
export interface PartProgress {
  /**
   * In a pipeline `encoder`, `tokenizer`, `tagger`, `lemmatizer`, `folds`, `parser` (`parser-1`, … if several vote), or `scores`;
   * in a stacked parser `guide-1`, …
   */
  readonly part: string;
  /** From 0 to 1. All annotators and folds are announced at the beginning, with 0. */
  readonly share: number;
  readonly isOver?: boolean | undefined;
  readonly isKept?: boolean | undefined;
  readonly training?: TrainingProgress | undefined;
}
