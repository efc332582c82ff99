// `npm run docs`: the documentation as a site, in site/dist; `--open` shows it. Most pages are README.md and docs/,
// unchanged. The pages of commands are made from the program's help, the pages of the API from its declarations.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { join, resolve } from 'node:path';
import { preview } from 'vite';
import { build } from 'vitepress';
import { program } from '../dist/cli/program.js';
import { drawingStyle } from '../dist/src/report/svg.js';

const site = import.meta.dirname;
const generated = join(site, 'generated');
const isShown = process.argv[2] === '--open';
if (process.argv.length > (isShown ? 3 : 2)) {
  console.error('usage: npm run docs [-- --open]');
  process.exit(2);
}

rmSync(generated, { recursive: true, force: true });
mkdirSync(join(generated, 'commands'), { recursive: true });
const pages = (await program()).commands.flatMap((command) => commandPages(command, [command.name()]));
for (const { name, text } of pages) writeFileSync(join(generated, 'commands', `${name}.md`), text);
writeFileSync(join(generated, 'commands/index.md'), ['# Commands', '', ...pages.map(entry), ''].join('\n'));
await describeApi();
drawSentence();
copyPalette();
await build(site);
if (isShown) {
  const show = { root: site, configFile: false, appType: 'mpa', build: { outDir: 'dist' } };
  (await preview({ ...show, preview: { open: true } })).printUrls();
}

/** Writes the pages of a command and its subcommands. */
function commandPages(command, words) {
  const help = command.createHelp();
  const children = command.commands.flatMap((child) => commandPages(child, [...words, child.name()]));
  const groups = new Map([['Arguments', []]]);
  for (const argument of help.visibleArguments(command)) {
    groups.get('Arguments').push(row(help.argumentTerm(argument), help.argumentDescription(argument)));
  }
  for (const option of help.visibleOptions(command).filter(({ long }) => long !== '--help')) {
    const group = option.helpGroupHeading ?? 'Options:';
    groups.set(group, [
      ...(groups.get(group) ?? []),
      row(option.flags, help.optionDescription(option), option.long),
    ]);
  }
  const text = [
    `# parliament ${words.join(' ')}`,
    prose(command.description()),
    block('sh', help.commandUsage(command)),
    children.map(entry).join('\n'),
    ...[...groups].flatMap(([group, rows]) =>
      rows.length === 0
        ? []
        : [`## ${group.replace(/:$/, '')}`, ['| name | meaning |', '| --- | --- |', ...rows].join('\n')],
    ),
    ...textAfter(command),
  ];
  return [
    { name: words.join('-'), summary: command.description(), text: `${text.join('\n\n')}\n` },
    ...children,
  ];
}

function entry({ name, summary }) {
  return `- [\`${name.replace('-', ' ')}\`](${name}.md): ${prose(summary)}`;
}

function row(term, description, id) {
  const anchor = id === undefined ? '' : `<a id="${id}"></a>`;
  return `| ${anchor}\`${term.replaceAll('|', '\\|')}\` | ${prose(description).replaceAll('|', '\\|')} |`;
}

/** Escapes plain text for Markdown, except code in backquotes. */
function prose(text) {
  return text.replace(/`[^`]*`|[<>*_[\]\\]/g, (match) => (match.length > 1 ? match : `\\${match}`));
}

function block(language, text) {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** Returns the text of a command's help below its options: examples, to be copied, then the rest. */
function textAfter(command) {
  let written = '';
  command.configureOutput({ writeOut: (text) => (written += text) });
  command.outputHelp();
  const after = written.slice(command.helpInformation().length).trim();
  const lines = after.split('\n');
  const isExample = (line) => line.startsWith('  $ ');
  const shell = lines.filter(isExample).map((line) => line.slice(2));
  const rest = lines
    .filter((line) => !isExample(line) && !/^Examples?:$/.test(line))
    .join('\n')
    .trim();
  return [
    ...(shell.length > 0 ? ['## Examples', block('sh', shell.join('\n'))] : []),
    ...(rest === '' ? [] : ['## Notes', block('text', rest)]),
  ];
}

/** Writes a page for each entry point of the package, with the names that programs import. */
async function describeApi() {
  register('./typescript6.mjs', import.meta.url);
  const { Application } = await import('typedoc');
  const app = await Application.bootstrapWithPlugins({
    options: join(site, 'typedoc.json'),
    out: join(generated, 'api'),
    pageTitleTemplates: { module: ({ name }) => `parliament/${name}`, index: () => 'Types and functions' },
  });
  const project = await app.convert();
  for (const module of project.children) module.name = module.name.replace(/^api\//, '');
  await app.generateOutputs(project);
}

/** Draws the picture of the first page: a sentence parsed by the ready model, styled by the site. */
function drawSentence() {
  const sentence = 'The old dogs bark all night, and nobody knows why.';
  const run = (input, ...words) =>
    execFileSync(process.execPath, [resolve(site, '../dist/cli/main.js'), ...words, '--quiet'], { input });
  const file = join(generated, 'tree.svg');
  run(run(sentence, 'parse', '--model', 'english', '-'), 'draw', '-', '--svg', file);
  const drawing = readFileSync(file, 'utf8').replace(/<style>.*?<\/style>/s, '');
  writeFileSync(file, drawing.replace(/<title>.*?<\/title>/, `<title>${sentence}</title>`));
}

/** Copies the colours of pages and drawings; the dark ones depend on the reader's choice, not on the system. */
function copyPalette() {
  const palette = readFileSync(join(site, '../data/palette.css'), 'utf8').replace(
    'color-scheme: light dark;',
    '',
  );
  const css = (palette + drawingStyle).replaceAll('@media (prefers-color-scheme: dark)', '.dark');
  writeFileSync(join(generated, 'palette.css'), css.replace(/(\.dark \{\s*):root/, '$1&'));
}
