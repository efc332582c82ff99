import { InputError } from '../errors.ts';
import { cacheFolder } from '../files/cache-folder.ts';
import { attempt, isRegularFile } from '../files/files.ts';
import { createRequire, dirname, existsSync, join } from '../platform/files.ts';
import { packageFolder } from '../platform/package.ts';

/** Names of ready models, which no path with a folder or an ending is. */
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/**
 * The file of a model: the path itself, or, where no such file is, that of the ready model of this name. `InputError` where
 * there is neither.
 */
export function modelPath(path: string): string {
  if (!NAME.test(path) || isRegularFile(path)) return path;
  const ready = readyModel(path);
  if (ready !== undefined) return ready;
  if (existsSync(path)) return path;
  const advice = `parliament models list names those there are; or npm install parliament-${path}, or put ${path}.model into $PARLIAMENT_HOME/models`;
  throw new InputError(`cannot be read: no such file or folder, and no ready model: ${advice}`, {
    file: path,
  });
}

/** The file of a ready model: in the first of its folders that has it. */
export function readyModel(name: string): string | undefined {
  return foldersOf(name)
    .map((folder) => join(folder, `${name}.model`))
    .find((path) => isRegularFile(path));
}

/** A package `parliament-NAME` that the working folder or this program can resolve, then `$PARLIAMENT_HOME/models`. */
function foldersOf(name: string): string[] {
  const packages = [process.cwd(), packageFolder].map((folder) => packageOf(`parliament-${name}`, folder));
  const home = attempt(modelsFolder);
  return [...packages, home && join(home, name), home].filter((folder) => folder !== undefined);
}

/** Where `models get` puts packages. */
export const modelsFolder = () => join(cacheFolder(), 'models');

function packageOf(name: string, from: string): string | undefined {
  const { resolve } = createRequire(join(from, 'index.js'));
  return attempt(() => dirname(resolve(`${name}/package.json`)));
}
