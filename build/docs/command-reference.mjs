// A page for each command, made from what its help says.
import { program } from '../../dist/cli/program.js';

/** @returns {Promise<import('./contents.mjs').Page[]>} */
export async function commandPages() {
  const parliament = await program();
  const overview = {
    file: 'commands.html',
    title: 'All commands',
    text: overviewOf(parliament),
    source: '',
  };
  const pages = parliament.commands.map((command) => ({
    file: pageOf(command),
    title: `parliament ${command.name()}`,
    text: commandText(command, 1),
    source: '',
  }));
  return [overview, ...pages];
}

const pageOf = (command) => `command-${command.name()}.html`;

function overviewOf(parliament) {
  const rows = parliament.commands.map(
    (command) => `| [\`${command.name()}\`](${pageOf(command)}) | ${cell(command.description())} |`,
  );
  const table = ['| command | what it does |', '| --- | --- |', ...rows].join('\n');
  return `# All commands\n\n${parliament.description()} \`parliament COMMAND --help\` says the same as these pages.\n\n${table}\n${textAfter(parliament)}`;
}

/** A command and those below it, each with a heading. */
function commandText(command, depth) {
  const own = [
    `${'#'.repeat(depth)} ${pathOf(command)}`,
    paragraph(command.description()),
    fence(`${pathOf(command)} ${command.usage()}`),
    table('argument', command.registeredArguments.map(argumentRow)),
    ...optionTables(command, depth + 1),
    textAfter(command),
  ];
  const below = command.commands.map((child) => commandText(child, depth + 1));
  return [...own, ...below].filter((part) => part !== '').join('\n\n');
}

function pathOf(command) {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

const argumentRow = (argument) => [argument.name(), argument];
const optionRow = (option) => [option.flags, option];

function optionTables(command, depth) {
  const groups = grouped(command.options, groupOf);
  return [...groups].map(([title, options]) => {
    const heading = title === 'Options' && groups.size === 1 ? '' : `${'#'.repeat(depth)} ${title}\n\n`;
    return `${heading}${table('option', options.map(optionRow))}`;
  });
}

const groupOf = (option) => (option.helpGroupHeading ?? 'Options:').replace(/:$/, '');

function grouped(list, keyOf) {
  const groups = new Map();
  for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

function table(what, rows) {
  if (rows.length === 0) return '';
  const lines = rows.map(([name, described]) => `| ${code(name)} | ${meaning(described)} |`);
  return [`| ${what} | meaning |`, '| --- | --- |', ...lines].join('\n');
}

function meaning({ description, argChoices = [], defaultValue, defaultValueDescription }) {
  // A switch is off unless it is given.
  const standard = defaultValueDescription ?? (typeof defaultValue === 'boolean' ? undefined : defaultValue);
  const choices = argChoices.length === 0 ? [] : [`choices: ${argChoices.map(code).join(', ')}`];
  const all = standard === undefined ? choices : [...choices, `default: ${cell(String(standard))}`];
  return [cell(description), ...all].join('<br>');
}

/** What stands below the options in the help: tables of names, examples. */
function textAfter(command) {
  let text = '';
  command.emit('afterHelp', {
    error: false,
    command,
    write: (part) => {
      text += part;
    },
  });
  return text.trim() === '' ? '' : fence(text.replace(/^\n+|\s+$/g, ''));
}

/** In code `<` stands for itself. */
const code = (text) => `\`${text.replaceAll('|', '\\|')}\``;
const fence = (text) => `\`\`\`text\n${text}\n\`\`\``;
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
const paragraph = (text) => text.replaceAll('<', '&lt;');
