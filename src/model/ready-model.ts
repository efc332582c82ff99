import { InputError } from '../errors.ts';
import { cacheFolder } from '../files/cache-folder.ts';
import { attempt, isRegularFile } from '../files/files.ts';
import { createRequire, dirname, existsSync, join } from '../platform/files.ts';
import { packageFolder } from '../platform/package.ts';

/** The form of ready models' names: no folder, no file extension. */
export const MODEL_NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/**
 * Finds the file of a model: the path itself or, if there is no such file, the ready model of this name. Throws `InputError`
 * if there is neither.
 */
export function modelPath(path: string): string {
  if (!MODEL_NAME.test(path) || isRegularFile(path)) return path;
  const ready = readyModel(path);
  if (ready !== undefined) return ready;
  if (existsSync(path)) return path;
  // For other names, npm may have a package of somebody else.
  const hasRecipe = existsSync(join(packageFolder, 'data', 'models', `${path}.json`));
  const install = hasRecipe ? `npm install parliament-${path}, or ` : '';
  const advice = `parliament models list names those there are; or ${install}put ${path}.model into $PARLIAMENT_HOME/models`;
  throw new InputError(`cannot be read: no such file or folder, and no ready model: ${advice}`, {
    file: path,
  });
}

/** The file of a ready model, in the first of `foldersOf` that has it. */
export function readyModel(name: string): string | undefined {
  return foldersOf(name)
    .map((folder) => join(folder, `${name}.model`))
    .find((path) => isRegularFile(path));
}

/**
 * The folder `parliament-NAME`, as `models make` writes it; the package of this name as resolved from the working folder or
 * this program; `models/` in a clone of this repository; then `$PARLIAMENT_HOME/models`.
 */
function foldersOf(name: string): string[] {
  const here = process.cwd();
  const made = join(here, `parliament-${name}`);
  const packages = [here, packageFolder].map((folder) => packageOf(`parliament-${name}`, folder));
  const home = attempt(modelsFolder);
  const cloned = join(packageFolder, 'models', name);
  return [made, ...packages, cloned, home && join(home, name), home].filter((folder) => folder !== undefined);
}

/** The folder of packages that `models get` downloads. */
export const modelsFolder = () => join(cacheFolder(), 'models');

function packageOf(name: string, from: string): string | undefined {
  const { resolve } = createRequire(join(from, 'index.js'));
  return attempt(() => dirname(resolve(`${name}/package.json`)));
}
