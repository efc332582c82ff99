import { type TrainedParser, trainParser } from '../../combine/train-parser.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { inMemory } from '../../src/treebank/treebanks.ts';
import { sampleText } from './sample.ts';

/** A network that is trained on the bundled treebank for about a second. */
export function smallNetwork(
  sentences: number,
  options: { readonly epochs: number; readonly units: number } = { epochs: 4, units: 16 },
): Promise<TrainedParser> {
  const treebank = inMemory(readSentences(sampleText('train')).slice(0, sentences), 'train.conllu');
  return trainParser('network', treebank, { options: { ...options, layers: 1 } });
}
