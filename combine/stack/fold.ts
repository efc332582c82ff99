/** Parses a fold of a treebank by what is learnt from the others, in a thread or here. */
import { type Block, sentencesOutside } from '../../annotators/jackknife/folds.ts';
import { findParadigm, registerParadigm } from '../../parsers/registry.ts';
import { giveWay } from '../../src/threads/scheduling.ts';
import type { TaskSurroundings } from '../../src/threads/worker-pool.ts';
import type { TrainingProgress } from '../../src/training/training-run.ts';
import { formatSentence } from '../../src/treebank/columns/write.ts';
import { type PackedSentences, unpack } from '../../src/treebank/packed-sentences.ts';
import { trainParser } from '../train-parser.ts';

export interface FoldTask {
  readonly sentences: PackedSentences;
  /** The fold: a block of each copy of the sentences, in order. */
  readonly blocks: readonly Block[];
  readonly paradigm: string;
  readonly options: object;
  readonly seed: number;
  /** Where paradigms from outside this package are found. */
  readonly modules: readonly string[];
}

/** Learns from all sentences but those of a fold; its blocks, as CoNLL-U, with the trees then found for them. */
export async function run(
  { sentences, blocks, paradigm, options, seed, modules }: FoldTask,
  { signal, onShare }: TaskSurroundings,
): Promise<string[]> {
  for (const module of modules) await registerParadigm(module);
  const onProgress = ({ epoch, epochs, done, total }: TrainingProgress) =>
    onShare((epoch - 1 + done / total) / epochs);
  const others = sentencesOutside(sentences, ...blocks);
  const { parser } = await trainParser(await findParadigm(paradigm), others, {
    options,
    seed,
    signal,
    onProgress,
  });
  await giveWay(signal);
  return blocks.map(({ from, to }) => {
    let text = '';
    for (const sentence of unpack(sentences, from, to)) {
      text += formatSentence(sentence, 'conllu', parser.parse(sentence));
    }
    return text;
  });
}
