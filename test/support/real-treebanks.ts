import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { sharedPath } from './shared.ts';

/** Real treebanks, which are in a folder beside the project on some machines. */
const files = {
  Basque: 'conll2007-basque/eus.train',
  Czech: 'ud-czech-cltt/cs_cltt-ud-dev.conllu',
  English: 'ud-english-ewt/en_ewt-ud-dev.conllu',
  GENIA: 'genia/dev.conllu',
  Hungarian: 'ud-hungarian-szeged/hu_szeged-ud-dev.conllu',
  Spanish: 'conll2007-spanish/esp.train',
  Telugu: 'ud-telugu-mtg/te_mtg-ud-dev.conllu',
  Vietnamese: 'ud-vietnamese-vtb/vi_vtb-ud-dev.conllu',
} as const;

export type RealTreebank = keyof typeof files;

export async function realSentences(name: RealTreebank): Promise<Sentence[]> {
  const encoding = name === 'Basque' ? 'iso-8859-1' : 'utf-8';
  const sentences: Sentence[] = [];
  for await (const one of await openTreebank(sharedPath('treebanks', files[name]), { encoding }))
    sentences.push(one);
  return sentences;
}
