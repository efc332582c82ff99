import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../src/platform/package.ts';
import { openTreebank } from '../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../src/treebank/sentence.ts';
import type { Fold } from './cross-validation.ts';

export interface RealTreebank {
  readonly name: string;
  readonly train: string;
  /** Default: the last tenth of `train`, which is then left out of training. */
  readonly dev?: string;
  readonly encoding?: string;
}

const folder = join(packageFolder, '..', 'shared', 'treebanks');

function universal(name: string, code: string): RealTreebank {
  const file = (part: string) => join(folder, `ud-${name}`, `${code}-ud-${part}.conllu`);
  return { name: `ud-${name}`, train: file('train'), dev: file('dev') };
}

const english = universal('english-ewt', 'en_ewt');

/** Treebanks that differ in language family, morphology, sentence length and size. */
export const realTreebanks: readonly RealTreebank[] = [
  { name: 'conll2007-basque', train: join(folder, 'conll2007-basque', 'eus.train'), encoding: 'iso-8859-1' },
  { name: 'ud-chinese-gsdsimp', train: join(folder, 'ud-chinese-gsdsimp', 'zh_gsdsimp-ud-dev.conllu') },
  universal('czech-cltt', 'cs_cltt'),
  english,
  universal('french-sequoia', 'fr_sequoia'),
  universal('hungarian-szeged', 'hu_szeged'),
  { name: 'conll2007-spanish', train: join(folder, 'conll2007-spanish', 'esp.train') },
  universal('tamil-ttb', 'ta_ttb'),
  universal('telugu-mtg', 'te_mtg'),
  universal('uyghur-udt', 'ug_udt'),
  universal('vietnamese-vtb', 'vi_vtb'),
];

export const ewt = { ...english, dev: english.dev! };

/** The treebanks whose files are there; names the others on stderr. */
export function found(treebanks: readonly RealTreebank[]): RealTreebank[] {
  return treebanks.filter(({ name, train }) => {
    const isHere = existsSync(train);
    if (!isHere) process.stderr.write(`${name}: not found, skipped\n`);
    return isHere;
  });
}

export async function partsOf({ train, dev, encoding }: RealTreebank): Promise<Fold> {
  const all = await sentencesOf(train, encoding);
  if (dev !== undefined) return { train: all, heldOut: await sentencesOf(dev, encoding) };
  const end = Math.ceil((all.length * 9) / 10);
  return { train: all.slice(0, end), heldOut: all.slice(end) };
}

async function sentencesOf(file: string, encoding: string | undefined): Promise<Sentence[]> {
  const sentences: Sentence[] = [];
  for await (const sentence of await openTreebank(file, { encoding, expect: 'trees' }))
    sentences.push(sentence);
  return sentences;
}
