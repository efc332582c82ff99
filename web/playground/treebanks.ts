import { byId } from '../../src/report/html/browser/page.ts';
import { readChosenFile } from '../../src/report/html/browser/tools.ts';
import { formatSentence } from '../../src/treebank/columns/write.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

export interface TrainingData {
  readonly train: NamedText;
  readonly dev?: NamedText | undefined;
}

/** Fetches the sample, which is in the folder of the page. */
export async function sampleTreebanks(): Promise<TrainingData> {
  const [train, dev] = await Promise.all(['train.conllu', 'dev.conllu'].map(fetched));
  return { train, dev };
}

/** Fetches a file in the folder of the page. */
export async function fetched(name: string): Promise<NamedText> {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name} cannot be fetched: ${response.status}`);
  return { name, text: await response.text() };
}

/** Reads the files that the user has chosen; without a second one, every tenth sentence of the first is held out. */
export async function chosenTreebanks(): Promise<TrainingData> {
  const [train, dev] = await Promise.all(['train-file', 'dev-file'].map(chosen));
  if (train === undefined) throw new Error('Choose a treebank, or take the sample.');
  return dev === undefined ? split(train) : { train, dev };
}

async function chosen(id: string): Promise<NamedText | undefined> {
  const file = byId<HTMLInputElement>(id).files?.[0];
  return file && { name: file.name, text: await readChosenFile(file) };
}

/** Sentences are written as CoNLL-U, since in some formats a part of the text cannot be read without its beginning. */
function split({ name, text }: NamedText): TrainingData {
  const sentences = readSentences(text, { name, expect: 'trees' });
  if (sentences.length < 20) return { train: { name, text } };
  const part = (isHeldOut: boolean) =>
    sentences
      .filter((_, i) => (i % 10 === 9) === isHeldOut)
      .map((sentence) => formatSentence(sentence, 'conllu'))
      .join('');
  return {
    train: { name, text: part(false) },
    dev: { name: `every tenth sentence of ${name}`, text: part(true) },
  };
}
