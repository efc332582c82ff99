import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { program } from '../../cli/program.ts';
import { packageFolder } from '../../src/platform/package.ts';

const docs = readdirSync(join(packageFolder, 'docs')).filter((name) => name.endsWith('.md'));
const pages = ['README.md', ...docs.map((name) => `docs/${name}`)].map((page) => {
  const text = readFileSync(join(packageFolder, page), 'utf8').replaceAll('\\\n', ' ');
  const lines = text.matchAll(/(?:^(?:\$ )?|[|;] |\$\(|do |`)parliament ([a-z][^\n`]*)/gm);
  return { page, commands: Array.from(lines, ([, line]) => wordsOf(line!)) };
});

/** The words of a command, up to the first operator of the shell. */
function wordsOf(line: string): string[] {
  const words = line.match(/'[^']*'|"[^"]*"|[|>;#)]|[^\s;)|]+/g)!;
  const end = words.findIndex((word) => /^[|>;#)]/.test(word));
  return (end < 0 ? words : words.slice(0, end)).map((word) => word.replace(/^['"]|['"]$/g, ''));
}

/** The command name and the options in a command that the program does not know. */
async function unknown(words: readonly string[]): Promise<string[]> {
  let command: Command = await program(words);
  const isCommand = command.commands.some((one) => one.name() === words[0]);
  for (const word of words) command = command.commands.find((one) => one.name() === word) ?? command;
  const known = command.options.flatMap(({ long, short }) => [long, short]);
  const options = words.filter((word) => /^--?[a-z][^ ]*$/.test(word) && !known.includes(word));
  return isCommand ? options : [words[0]!, ...options];
}

test('the pages contain many commands', () => {
  expect(pages.flatMap(({ commands }) => commands).length).toBeGreaterThan(200);
});

test.each(pages)('$page: every command exists, with its options', async ({ commands }) => {
  for (const words of commands) {
    // `train … --seed 1` stands for any parser.
    if (!words[1]?.startsWith('…'))
      expect({ words, unknown: await unknown(words) }).toEqual({ words, unknown: [] });
  }
});
