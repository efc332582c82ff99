import { join } from 'node:path';
import { Option } from 'commander';
import { cacheFolder } from '../../../src/treebank/catalogue/catalogue.ts';
import type { Run } from './trainable.ts';

/** Where parts of models are kept, below the folder of what can be had again. */
const FOLDER = 'pipelines';

export function cacheOption(): Option {
  return new Option(
    '--cache <folder>',
    'where finished parts are kept, for --resume and for other parsers',
  ).default(undefined, '$PARLIAMENT_HOME, or else the system’s cache folder');
}

/** The folder that is asked for, or the usual one; where the user has no home, nothing is kept. */
export async function storeFolder(
  asked: string | undefined,
  onNotice: Run['onNotice'],
): Promise<string | undefined> {
  if (asked !== undefined) return asked;
  const home = await cacheFolder().catch(() => undefined);
  if (home === undefined) onNotice?.('there is no home folder to keep finished parts in: they are not kept');
  return home && join(home, FOLDER);
}
