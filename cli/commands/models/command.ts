import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InputError, UsageError } from '../../../src/errors.ts';
import { sizeOfFile } from '../../../src/files/files.ts';
import { Watchdog } from '../../../src/files/network/download.ts';
import { MODEL_NAME, modelsFolder, readyModel } from '../../../src/model/ready-model.ts';
import { tableOf, text, textTable } from '../../../src/report/tables/table.ts';
import { quote } from '../../../src/visible.ts';
import { makeFilledFolder } from '../../folders.ts';
import type { Command } from '../../options/command.ts';
import { jsonOption, quietOption } from '../../options/common.ts';
import { fileSize, note, print, printJson, printText } from '../../terminal/output.ts';
import { stoppable } from '../../terminal/process.ts';
import { type MakeOptions, packageName } from './make.ts';
import { modelNames, type Recipe, readRecipe, recipeNames } from './recipe.ts';

export function modelsCommand(command: Command): Command {
  const named = (name: string, description: string) =>
    command
      .command(name)
      .description(description)
      .argument('<name>', 'name of a model')
      .examples(`parliament models ${name} english`);
  command
    .command('list')
    .description('List installed models, and those that can be made by a recipe.')
    .with(jsonOption('print the list as JSON'))
    .examples('parliament models list')
    .action(list);
  named('path', 'Print the path of a ready model.').action((name) => print(fileOf(name)));
  named('card', 'Print the model card of a ready model.').action(card);
  named('get', 'Download and verify the package of a model from the npm registry.')
    .with(quietOption())
    .action(get);
  command
    .command('make')
    .description('Make the package of a ready model by a recipe: train and score it, and write the package.')
    .argument('<recipe>', 'name of a recipe, or the path of one (.json)')
    .option('-o, --output <folder>', 'folder of the package (default: parliament-NAME)')
    .option('--text <file>', 'raw text, if the recipe needs some')
    .option('--from <folder>', 'take the treebank from this folder or its subfolders, not from the network')
    .with(quietOption(), jsonOption())
    .examples('parliament models make telugu', 'parliament models make english --text novels.txt.gz')
    .action(make);
  const places =
    'Models are looked for in the folder or package parliament-NAME, then in $PARLIAMENT_HOME/models.';
  return command
    .addHelpText('after', `\n${places}`)
    .examples('parliament models list', 'parliament parse --model english text.txt');
}

function list({ json }: { readonly json?: boolean }) {
  const models = modelNames().map(describe);
  if (json) return printJson(models);
  const table = tableOf(models, [
    [text('name'), ({ name }) => name],
    [text('title', 'language'), ({ title = '' }) => title],
    [text('treebank'), ({ treebank = '' }) => treebank],
    [text('licence'), ({ licence = '' }) => licence],
    [{ key: 'las', title: 'LAS, raw text', align: 'right' }, ({ figures }) => figures?.LAS?.toFixed(2) ?? ''],
    [{ key: 'size', title: 'size', align: 'right' }, ({ bytes }) => (bytes ? fileSize(bytes) : 'not here')],
  ]);
  printText(textTable(table));
}

function describe(name: string) {
  const path = readyModel(name);
  const bytes = (path && sizeOfFile(path)) || undefined;
  const recipe: Partial<Recipe> = recipeNames().includes(name) ? readRecipe(name) : {};
  const { title, treebank, licence, publishable, figures } = recipe;
  return { name, title, treebank, licence, publishable, figures, path, bytes };
}

function fileOf(name: string): string {
  const path = readyModel(name);
  if (path !== undefined) return path;
  const advice = recipeNames().includes(name)
    ? `parliament models get ${name}, or parliament models make ${name}`
    : 'parliament models list shows the ready models';
  throw new InputError(`no ready model is called “${name}” here: ${advice}`);
}

function card(name: string): void {
  const path = join(dirname(fileOf(name)), 'README.md');
  if (!existsSync(path)) throw new InputError(`${name} has no model card beside it`, { file: path });
  printText(readFileSync(path, 'utf8'));
}

async function get(name: string, { quiet }: { readonly quiet?: boolean }): Promise<void> {
  if (!MODEL_NAME.test(name))
    throw new UsageError(
      `${quote(name)}: not the name of a model, expected small letters, digits and hyphens`,
    );
  await makeFilledFolder(join(modelsFolder(), name), async (folder) => {
    // Imported here because loading it takes longer than most commands run.
    const { fetchPackage } = await import('../../../src/files/network/npm-package.ts');
    const version = await stoppable(async (signal) => {
      const watchdog = new Watchdog(signal);
      try {
        return await fetchPackage(packageName(name), folder, watchdog);
      } catch (error) {
        signal.throwIfAborted();
        const make = recipeNames().includes(name) ? `; parliament models make ${name} trains it` : '';
        throw new InputError(`npm package ${packageName(name)}: ${(error as Error).message}${make}`);
      } finally {
        watchdog.end();
      }
    });
    if (!existsSync(join(folder, `${name}.model`)))
      throw new InputError(`npm package ${packageName(name)}: holds no ${name}.model`);
    if (!quiet) note(`${packageName(name)} ${version}: verified`);
  });
  print(fileOf(name));
}

type MakeFlags = Pick<MakeOptions, 'text' | 'from'> & {
  readonly output?: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
};

async function make(name: string, { output, quiet, json, ...flags }: MakeFlags): Promise<void> {
  const recipe = readRecipe(name);
  const { makePackage } = await import('./make.ts');
  const made = await stoppable((signal) =>
    makePackage(recipe, {
      ...flags,
      output: output ?? packageName(recipe.name),
      signal,
      onStep: (command, step, steps) => {
        if (!quiet) note(`step ${step} of ${steps}: ${command}`);
      },
    }),
  );
  const { folder, bytes, figures, differences } = made;
  if (json) printJson({ name: recipe.name, folder, bytes, figures, differences });
  else {
    const score = figures.LAS === undefined ? '' : `, LAS ${figures.LAS.toFixed(2)} on raw text`;
    print(`${folder}: ${fileSize(bytes)}${score}`);
  }
  if (differences.length > 0) {
    process.exitCode = 1;
    note(`the figures differ from those in the recipe: ${differences.join('; ')}`);
  } else if (!quiet && !json) {
    note(
      recipe.publishable
        ? `to publish it, in that folder: npm publish`
        : `its licence, ${recipe.licence}, does not allow publishing it`,
    );
  }
}
