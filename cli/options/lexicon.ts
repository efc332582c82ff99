import { Overrides } from '../../annotators/overrides.ts';
import { TextFile } from '../../src/files/text-file.ts';

/** Reads the file of `--lexicon`, gzip or not. */
export async function readLexicon(path: string, encoding?: string): Promise<Overrides> {
  let text = '';
  for await (const chunk of new TextFile(path, encoding).chunks()) text += chunk;
  return Overrides.read(text, path);
}
