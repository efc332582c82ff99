import { Command } from 'commander';
import { expect, test } from 'vitest';
import { formatOption, jsonOption } from '../../../cli/options/common.ts';
import { acceptOldFormats, toOption } from '../../../cli/options/formats.ts';

/** The formats that a command uses which reads treebanks and writes tables. */
function settled(...words: string[]): Record<string, unknown> {
  let flags: Record<string, unknown> = {};
  const command = new Command()
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .addOption(formatOption())
    .addOption(toOption('output format', ['text', 'csv', 'json']))
    .argument('[files...]')
    .addOption(jsonOption().implies({ to: 'json' }))
    .action((_, given) => {
      flags = given;
    });
  acceptOldFormats(command, ['text', 'csv', 'json']).parse(words, { from: 'user' });
  return { read: flags.format, written: flags.to };
}

test.each([
  ['', { written: 'text' }],
  ['--format conllx --to csv', { read: 'conllx', written: 'csv' }],
  ['--to json', { written: 'json' }],
  ['--json', { written: 'json' }],
  ['--json --to json', { written: 'json' }],
  // The older syntax, from before there was --to.
  ['--format csv', { written: 'csv' }],
  ['--format json', { written: 'json' }],
  ['--json --format json', { read: 'json', written: 'json' }],
  ['--to csv --format json', { read: 'json', written: 'csv' }],
  ['--format json gold.json one.json', { read: 'json', written: 'text' }],
  ['--format json gold.jsonl one.jsonl.gz', { read: 'json', written: 'text' }],
  ['--format json gold.conllu one.conllu', { written: 'json' }],
  ['--from conllx', { read: 'conllx', written: 'text' }],
  ['--from json --format csv', { read: 'json', written: 'csv' }],
  ['--from conllu --to csv', { read: 'conllu', written: 'csv' }],
])('works out the input and output formats from “%s”', (words, formats) => {
  expect(settled(...words.split(' ').filter(Boolean))).toEqual({ read: undefined, ...formats });
});

test.each([
  ['--to json --format csv', '--to json or --format csv, not both'],
  ['--json --format csv', '--json or --format csv, not both'],
  ['--json --to csv', '--json or --to csv, not both'],
  ['--from conllx --format conllu', '--from conllx and --format conllu are both formats of the treebanks'],
  ['--format conll', 'Allowed choices are conllu, '],
])('refuses contradictory or unknown formats: %s', (words, message) => {
  expect(() => settled(...words.split(' '))).toThrow(message);
});
