import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { loadPipeline } from '../../../combine/pipeline/saved-pipeline.ts';
import { type MetricScores, scorePipeline } from '../../../combine/pipeline/training/score-pipeline.ts';
import { jsonDigest } from '../../../src/digest.ts';
import { InputError, UsageError } from '../../../src/errors.ts';
import { cacheFolder } from '../../../src/files/cache-folder.ts';
import { explaining, fileDigest, makeFolder, sizeOfFile } from '../../../src/files/files.ts';
import { packageFolder, packageVersion } from '../../../src/platform/package.ts';
import { moduleFile, programFrom } from '../../../src/program-digest.ts';
import type { TreebankRecord } from '../../../src/training/about-model.ts';
import { Catalogue, type CatalogueEntry, type TreebankPart } from '../../../src/treebank/catalogue.ts';
import { openTreebank } from '../../../src/treebank/reading/treebank-file.ts';
import { makeFilledFolder } from '../../folders.ts';
import { type Recipe, recipeNames } from './recipe.ts';

export interface MakeOptions {
  readonly output: string;
  readonly text?: string | undefined;
  readonly from?: string | undefined;
  readonly signal: AbortSignal;
  readonly onStep: (command: string, step: number, steps: number) => void;
}

/**
 * Runs a recipe's commands, scores the model, and writes its package, whole or not at all. After an interruption it skips
 * the commands that have finished, and resumes trainings.
 */
export async function makePackage(recipe: Recipe, options: MakeOptions) {
  const { output, text, signal } = options;
  if (recipe.text !== undefined && text === undefined)
    throw new UsageError(`the recipe needs raw text, given by --text: ${recipe.text}`);
  if (recipe.text === undefined && text !== undefined)
    throw new UsageError('the recipe reads no raw text: expected no --text');
  const catalogue = await Catalogue.open();
  const entry = catalogue.entry(recipe.treebank);
  const [train, dev] = await Promise.all(
    (['train', 'dev'] as const).map((part) => treebankFile(catalogue, entry, part, options)),
  );
  const work = await workFolder(recipe, [train, dev, text]);
  const model = join(work, `${recipe.name}.model`);
  const paths = { train, dev, text: text && resolve(text), model };
  const steps = recipe.steps.map((step) => step.map((word) => filled(word, paths)));
  // Begun before the training, which may take hours.
  const made = await makeFilledFolder(output, async (folder) => {
    for (const [i, words] of steps.entries()) {
      options.onStep(`parliament ${recipe.steps[i].join(' ')}`, i + 1, steps.length);
      await runStep(words, join(work, `step-${i + 1}`), work, signal);
    }
    return writePackage(recipe, entry, { train, dev, model }, folder, options);
  });
  rmSync(work, { recursive: true, force: true });
  return made;
}

/** Makes the folder in which the steps run: each has its own for the code, the steps and the files that they read. */
async function workFolder(recipe: Recipe, files: readonly (string | undefined)[]): Promise<string> {
  const program = programFrom([moduleFile('cli/program')], new Set());
  const digests = await Promise.all(files.map((file) => file && fileDigest(file)));
  const digest = jsonDigest([program, recipe.steps, digests]).slice(0, 16);
  const work = join(cacheFolder(), 'recipes', `${recipe.name}-${recipe.version}-${digest}`);
  await makeFolder(work);
  return work;
}

/** Paths of the model, and of the treebank's training and development files if it has them. */
interface Paths {
  readonly train: string | undefined;
  readonly dev: string | undefined;
  readonly model: string;
}

async function treebankFile(
  catalogue: Catalogue,
  entry: CatalogueEntry,
  part: TreebankPart,
  { from, signal }: MakeOptions,
): Promise<string | undefined> {
  const file = entry.files.find((each) => each.part === part);
  if (file === undefined) return undefined;
  await catalogue.get(entry, file, { from, signal });
  return catalogue.pathOf(entry, file);
}

function filled(word: string, paths: Readonly<Record<string, string | undefined>>): string {
  return word.replace(/\{(\w+)\}/g, (_, name: string) => {
    const path = paths[name];
    if (path === undefined) throw new UsageError(`there is no file for the recipe's {${name}}`);
    return path;
  });
}

/** Runs a command unless the file `mark.done` exists; resumes a training if `mark.begun` exists. */
async function runStep(words: readonly string[], mark: string, cwd: string, signal: AbortSignal) {
  if (existsSync(`${mark}.done`)) return;
  const again = existsSync(`${mark}.begun`) && words[0] === 'train' ? ['--resume'] : [];
  explaining(cwd, 'cannot be written to', () => writeFileSync(`${mark}.begun`, ''));
  const main = join(packageFolder, 'dist', 'cli', 'main.js');
  const child = spawn(process.execPath, [main, ...words, ...again], {
    cwd,
    // The commands' results go to stderr: they are not results of this command.
    stdio: ['ignore', 2, 'inherit'],
    signal,
    killSignal: 'SIGINT',
  });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new InputError(`parliament ${words.join(' ')}: exit status ${status}`);
  renameSync(`${mark}.begun`, `${mark}.done`);
}

async function writePackage(
  recipe: Recipe,
  entry: CatalogueEntry,
  { train, dev, model }: Paths,
  folder: string,
  { output, signal }: MakeOptions,
) {
  const pipeline = await loadPipeline(model);
  const scores = dev && (await scorePipeline(pipeline, await openTreebank(dev), signal));
  const figures: MetricScores = scores ? (scores.text ?? scores.tokens) : {};
  const learnt = [train, dev].filter((path) => path !== undefined);
  const records = learnt.map(async (path) => ({ file: basename(path), digest: await fileDigest(path) }));
  const data = await Promise.all(records);
  const [bytes, sha256] = [sizeOfFile(model), await fileDigest(model)];
  const made = { recipe, treebank: entry.title, data, bytes, sha256, figures };
  const files = { 'package.json': manifest(made), 'README.md': modelCard(made), LICENSE: licence(made) };
  explaining(output, 'cannot be written', () => {
    copyFileSync(model, join(folder, basename(model)));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  });
  return { folder: output, bytes, figures, differences: differences(recipe.figures ?? {}, figures) };
}

/** The figures that differ from the recipe's, one text each. */
function differences(expected: Readonly<Record<string, number>>, found: MetricScores): string[] {
  return Object.entries(expected).flatMap(([metric, value]) => {
    const now = found[metric as keyof MetricScores];
    return now?.toFixed(2) === value.toFixed(2)
      ? []
      : [`${metric} is ${now?.toFixed(2)}, not ${value.toFixed(2)}`];
  });
}

/** The data from which the files beside a model are written: the same model gives the same texts. */
interface MadeModel {
  readonly recipe: Recipe;
  /** The treebank's title, and what its parts are. */
  readonly treebank: string;
  readonly data: readonly TreebankRecord[];
  readonly bytes: number;
  readonly sha256: string;
  readonly figures: Readonly<Record<string, number>>;
}

export const packageName = (model: string) => `parliament-${model}`;

function manifest({ recipe, treebank }: MadeModel): string {
  const { name, version, title, licence, publishable } = recipe;
  const file = `${name}.model`;
  const fields = {
    name: packageName(name),
    version,
    description: `A ready model for Parliament: ${title}, learnt from ${treebank}.`,
    license: licence,
    ...(publishable ? {} : { private: true }),
    keywords: ['parliament', 'parser', 'dependency-parsing', 'universal-dependencies', 'model'],
    files: [file],
    exports: { [`./${file}`]: `./${file}`, './package.json': './package.json' },
  };
  return `${JSON.stringify(fields, null, 2)}\n`;
}

function licence({ recipe: { licence }, treebank }: MadeModel): string {
  return `This model was learnt from ${treebank} and is licensed as that treebank is: ${licence}
(https://spdx.org/licenses/${licence}.html).
`;
}

/** A model card (Mitchell et al. 2019): what the model is, where it comes from, how good it is, what it is not for. */
function modelCard({ recipe, treebank, data, bytes, sha256, figures }: MadeModel): string {
  const { name, version, title, about, text, measured = {} } = recipe;
  const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const maker = recipeNames().includes(name) ? `\`parliament models make ${name}\`` : 'the same recipe';
  const command = (words: readonly string[]) => `parliament ${words.map(quoted).join(' ')}`;
  return `# ${packageName(name)} ${version}

${title}: raw text to tokens, tags, features, lemmas and trees, for Parliament ${packageVersion()} or later.

\`\`\`console
$ echo "Nobody expected the parser to win." | parliament parse --model ${name} --draw
\`\`\`

${about}

## How good it is

F1 in percent on the raw text of the treebank's development part, counted as UD's \`eval.py\` does (labels without subtypes):

${row('metric', 'F1')}
${row('---', '---:')}
${Object.entries(figures)
  .map(([metric, value]) => row(metric, value.toFixed(2)))
  .join('\n')}
${Object.entries(measured)
  .map(([what, value]) => `\n- ${what}: ${value}`)
  .join('')}

## What it learnt from

${treebank}:

${data.map(({ file, digest }) => `- \`${file}\`, SHA-256 \`${digest}\``).join('\n')}
${text === undefined ? '' : `\nRaw text: ${text}\n`}
## How it was made

With Parliament ${packageVersion()}, which made it, ${maker} makes it again, byte for byte; other versions may give other bytes and figures. The commands:

\`\`\`sh
${recipe.steps.map(command).join('\n')}
\`\`\`

\`${name}.model\`: ${bytes.toLocaleString('en')} bytes, SHA-256 \`${sha256}\`. Licence: ${recipe.licence}.
`;
}

const quoted = (word: string) => (/^[\w./{}@=,-]+$/.test(word) ? word : `'${word}'`);
