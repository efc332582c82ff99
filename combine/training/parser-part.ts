/** Learns a parser that is to be part of a model, in a thread or here. */
import { findParadigm, registerParadigm } from '../../parsers/registry.ts';
import { writeParser } from '../../parsers/saved-parser.ts';
import { ModelWriter, modelBytes } from '../../src/model/model-writer.ts';
import type { TaskSurroundings } from '../../src/threads/worker-pool.ts';
import type { AboutModel } from '../../src/training/about-model.ts';
import type { TrainingProgress } from '../../src/training/training-run.ts';
import { type PackedSentences, packedTreebank } from '../../src/treebank/packed-sentences.ts';
import { type TrainedParser, trainParser } from '../train-parser.ts';

export interface ParserTask {
  readonly paradigm: string;
  readonly options: object;
  readonly seed: number;
  /** With columns as it will find them. */
  readonly sentences: PackedSentences;
  readonly dev?: PackedSentences | undefined;
  /** For its header: the treebanks whose sentences these are. */
  readonly about: Pick<AboutModel, 'train' | 'dev'>;
  /** Where paradigms from outside this package are found. */
  readonly modules: readonly string[];
}

/** The bytes of the parser's model. */
export async function run(
  { paradigm, options, seed, sentences, dev, about, modules }: ParserTask,
  { signal, onShare }: TaskSurroundings,
): Promise<SharedArrayBuffer> {
  for (const module of modules) await registerParadigm(module);
  const onProgress = ({ epoch, epochs, done, total }: TrainingProgress) =>
    onShare((epoch - 1 + done / total) / epochs);
  const found = await findParadigm(paradigm);
  const asked = { options, seed, dev: dev && packedTreebank(dev), signal, onProgress };
  return bytesOf(await trainParser(found, packedTreebank(sentences), asked), about);
}

/** The bytes of its model; the header names other treebanks. */
export function bytesOf(
  { parser, about: learnt }: TrainedParser,
  about: ParserTask['about'],
): SharedArrayBuffer {
  const writer = new ModelWriter();
  writeParser(writer, parser, { ...learnt, ...about });
  return modelBytes(writer);
}
