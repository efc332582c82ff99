import { join } from 'node:path';
import { packageFolder } from '../../src/files/package-folder.ts';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';

/** A file to learn from. */
export interface TrainingPart {
  readonly name: string;
  readonly file: string;
  readonly encoding?: string;
  /** The sentences at its end that are its dev part, and not looked at here. */
  readonly tenthsLeftOut?: number;
}

const folder = join(packageFolder, '..', 'shared', 'treebanks');
const ud = (name: string, file: string): TrainingPart => ({ name, file: join(folder, `ud-${name}`, file) });

/** Treebanks of many kinds: by family of language, richness of morphology, length of sentences, size. */
export const trainingParts: readonly TrainingPart[] = [
  {
    name: 'basque',
    file: join(folder, 'conll2007-basque', 'eus.train'),
    encoding: 'iso-8859-1',
    tenthsLeftOut: 1,
  },
  { ...ud('chinese-gsdsimp', 'zh_gsdsimp-ud-dev.conllu'), tenthsLeftOut: 1 },
  ud('czech-cltt', 'cs_cltt-ud-train.conllu'),
  ud('english-ewt', 'en_ewt-ud-train.conllu'),
  ud('french-sequoia', 'fr_sequoia-ud-train.conllu'),
  ud('hungarian-szeged', 'hu_szeged-ud-train.conllu'),
  { name: 'spanish', file: join(folder, 'conll2007-spanish', 'esp.train'), tenthsLeftOut: 1 },
  ud('tamil-ttb', 'ta_ttb-ud-train.conllu'),
  ud('telugu-mtg', 'te_mtg-ud-train.conllu'),
  ud('uyghur-udt', 'ug_udt-ud-train.conllu'),
  ud('vietnamese-vtb', 'vi_vtb-ud-train.conllu'),
];

/** All sentences of the training part. */
export async function sentencesOf({ file, encoding, tenthsLeftOut = 0 }: TrainingPart): Promise<Sentence[]> {
  const sentences: Sentence[] = [];
  for await (const sentence of await openTreebank(file, { encoding, expect: 'trees' }))
    sentences.push(sentence);
  return sentences.slice(0, Math.ceil((sentences.length * (10 - tenthsLeftOut)) / 10));
}
