import { bundledExperiments } from '../../experiment/definition/experiment.ts';
import { Catalogue } from '../../src/treebank/catalogue/catalogue.ts';

/** Names that a command or an option takes and that its declaration does not list, by the command's path. */
const sources: Readonly<Record<string, () => readonly string[] | Promise<readonly string[]>>> = {
  experiment: bundledExperiments,
  'experiment --treebank': treebanks,
  'data get': treebanks,
  'data path': treebanks,
};

/** The names that may stand there; none where it takes no names, or they cannot be known. */
export async function namesFor(place: string): Promise<readonly string[]> {
  return (await sources[place]?.()) ?? [];
}

async function treebanks(): Promise<readonly string[]> {
  const catalogue = await Catalogue.open().catch(() => undefined);
  return catalogue?.entries.map(({ name }) => name) ?? [];
}
