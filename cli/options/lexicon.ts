import { Overrides } from '../../annotators/overrides.ts';
import { TextFile } from '../../src/files/text-file.ts';

export async function readLexicon(path: string, encoding?: string): Promise<Overrides> {
  return Overrides.read(await new TextFile(path, encoding).text(), path);
}
