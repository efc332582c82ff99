import { Option } from 'commander';
import { InputError } from '../../src/errors.ts';
import { attempt } from '../../src/files/files.ts';
import { figures, type Table, textTable } from '../../src/report/tables/table.ts';
import type { CatalogueEntry, TreebankPart } from '../../src/treebank/catalogue.ts';
import { Catalogue, folderHas, treebankParts } from '../../src/treebank/catalogue.ts';
import type { Command } from '../options/command.ts';
import { jsonOption, quietOption } from '../options/common.ts';
import { fileSize, note, print, printJson, printText } from '../terminal/output.ts';
import { stoppable } from '../terminal/process.ts';
import { progress } from '../terminal/progress.ts';

export function dataCommand(command: Command): Command {
  command
    .command('list')
    .description('List the known treebanks, and which are downloaded.')
    .with(jsonOption('print the list as JSON, with descriptions, files and digests'))
    .examples('parliament data list')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const catalogue = await Catalogue.open();
      if (json) printJson(await describeAll(catalogue));
      else printText(textTable(await listTable(catalogue)));
    });
  command
    .command('get')
    .description('Download and verify a treebank, and print the paths of its files.')
    .argument('<name>', 'name of a treebank')
    .option('--from <folder>', 'take the files from this folder or its subfolders, not from the network')
    .with(quietOption())
    .examples('parliament data get ud-english-ewt', 'parliament data get ud-telugu-mtg --from ~/treebanks')
    .action(get);
  command
    .command('path')
    .description('Print the paths of the files of a treebank, one per line.')
    .argument('<name>', 'name of a treebank')
    .with(new Option('--part <part>', 'only this part').choices(treebankParts))
    .examples('parliament data path sample --part train')
    .action(path);
  return command
    .addHelpText('after', "\nTreebanks are kept in $PARLIAMENT_HOME, or else in the system's cache folder.")
    .examples(
      'parliament data get ud-english-ewt',
      'parliament stats "$(parliament data path ud-english-ewt --part dev)"',
    );
}

async function get(name: string, { from, quiet }: { readonly from?: string; readonly quiet?: boolean }) {
  const catalogue = await Catalogue.open();
  const entry = catalogue.entry(name);
  const show = progress('kB', quiet);
  await stoppable(async (signal) => {
    for (const file of entry.files) {
      // Folders of training data often lack the test part, which most work does not need.
      if (from !== undefined && file.part === 'test' && !(await folderHas(from, file))) {
        if (!quiet) note(`${file.name}: not in ${from}, left out`);
        continue;
      }
      const onProgress = (bytes: number) => show(file.name, bytes / 1e3, (file.bytes ?? bytes) / 1e3);
      const brought = await catalogue.get(entry, file, { from, signal, onProgress });
      const size = file.bytes === undefined ? '' : `${fileSize(file.bytes)}, `;
      if (!quiet) note(`${file.name}: ${size}${brought ? 'verified' : 'already here, nothing to do'}`);
      print(catalogue.pathOf(entry, file));
    }
  });
}

async function path(name: string, { part }: { readonly part?: TreebankPart }): Promise<void> {
  const catalogue = await Catalogue.open();
  const entry = catalogue.entry(name);
  const files = entry.files.filter((file) => part === undefined || file.part === part);
  if (files.length === 0) throw new InputError(`${name} has no ${part} part`);
  const paths: string[] = [];
  for (const file of files) {
    if (await catalogue.has(entry, file)) paths.push(catalogue.pathOf(entry, file));
    else if (file.part !== 'test' || part === 'test')
      throw new InputError(`the ${file.part} part of ${name} is not here: parliament data get ${name}`);
  }
  print(paths.join('\n'));
}

async function listTable(catalogue: Catalogue): Promise<Table> {
  const rows = catalogue.entries.map(async (entry) => [
    entry.name,
    entry.title,
    entry.licence,
    ...treebankParts.map((part) => entry.files.find((file) => file.part === part)?.sentences ?? null),
    fileSize(entry.files.reduce((sum, file) => sum + (file.bytes ?? 0), 0)),
    await whatIsHere(catalogue, entry),
  ]);
  return {
    columns: [
      { key: 'name', title: 'name' },
      { key: 'title', title: 'treebank' },
      { key: 'licence', title: 'licence' },
      ...treebankParts.map((part) => figures(part, part, 0)),
      { key: 'size', title: 'size', align: 'right' },
      { key: 'here', title: 'here' },
    ],
    rows: await Promise.all(rows),
  };
}

async function describeAll(catalogue: Catalogue): Promise<unknown[]> {
  const described = catalogue.entries.map(async (entry) => {
    const files = entry.files.map(async (file) => {
      // Undefined for a user without a home folder.
      const path = attempt(() => catalogue.pathOf(entry, file));
      return { ...file, path, here: await catalogue.has(entry, file) };
    });
    return { ...entry, files: await Promise.all(files) };
  });
  return Promise.all(described);
}

async function whatIsHere(catalogue: Catalogue, entry: CatalogueEntry): Promise<string> {
  const missing: TreebankPart[] = [];
  for (const file of entry.files) if (!(await catalogue.has(entry, file))) missing.push(file.part);
  if (missing.length === 0) return 'yes';
  return missing.every((part) => part === 'test') ? 'without test' : 'no';
}
