import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { optionsOfSchema, readOptions } from '../../../cli/options/schema-options.ts';
import { configureHelp } from '../../../cli/terminal/help.ts';
import { UsageError } from '../../../src/errors.ts';

const schema = z.object({
  epochs: z.int().min(1).max(100).default(10).describe('passes over the data'),
  rate: z.number().min(0).default(0.5),
  decoder: z.enum(['eisner', 'chu-liu-edmonds']).default('eisner'),
  templates: z.array(z.enum(['mcdonald', 'bohnet'])).default(['mcdonald', 'bohnet']),
  context: z.array(z.int().min(0)).default([2, 4]),
  stem: z
    .string()
    .regex(/^(none|prefix:\d+)$/, 'expected none or prefix:N')
    .default('none'),
  shuffle: z.boolean().default(true).describe('keep the order'),
  verbose: z.boolean().default(false),
  singleRoot: z.boolean().optional(),
  tag: z.enum(['upos', 'xpos']).optional(),
});

function parse(...args: string[]): z.infer<typeof schema> {
  const command = new Command('train').exitOverride().configureOutput({ outputError: () => undefined });
  for (const option of optionsOfSchema(schema)) command.addOption(option);
  return readOptions(schema, command.parse(args, { from: 'user' }).opts());
}

describe('command-line options made from a schema', () => {
  it('have the defaults of the schema; an option without default stays undefined', () => {
    expect(parse()).toEqual({
      epochs: 10,
      rate: 0.5,
      decoder: 'eisner',
      templates: ['mcdonald', 'bohnet'],
      context: [2, 4],
      stem: 'none',
      shuffle: true,
      verbose: false,
    });
  });

  it('read numbers, choices, lists and texts', () => {
    const given = parse(
      '--epochs',
      '3',
      '--rate',
      '1e-2',
      '--templates',
      'bohnet',
      '--context',
      '1,0',
      '--tag=upos',
    );
    expect(given).toMatchObject({
      epochs: 3,
      rate: 0.01,
      templates: ['bohnet'],
      context: [1, 0],
      tag: 'upos',
    });
    expect(parse('--templates', '').templates).toEqual([]);
    expect(parse('--stem', 'prefix:5').stem).toBe('prefix:5');
  });

  it('turn off switches that are on, turn on those that are off, and do both for those without a default', () => {
    expect(parse('--no-shuffle', '--verbose')).toMatchObject({ shuffle: false, verbose: true });
    expect(parse('--single-root').singleRoot).toBe(true);
    expect(parse('--no-single-root').singleRoot).toBe(false);
    expect(() => parse('--shuffle')).toThrow("unknown option '--shuffle'");
  });

  it('refuse a value with a message that names the option and says what was expected', () => {
    expect(() => parse('--epochs', '0')).toThrow(
      "option '--epochs <n>' argument '0' is invalid. Expected a whole number from 1 to 100.",
    );
    expect(() => parse('--epochs', '2.5')).toThrow('Expected a whole number from 1 to 100.');
    expect(() => parse('--rate', '-1')).toThrow('Expected a number of at least 0.');
    expect(() => parse('--rate', 'fast')).toThrow('Expected a number of at least 0.');
    expect(() => parse('--decoder', 'cky')).toThrow('Allowed choices are eisner, chu-liu-edmonds.');
    expect(() => parse('--templates', 'mcdonald,x')).toThrow("'x' is not one of mcdonald, bohnet.");
    expect(() => parse('--context', '1,two')).toThrow('Expected a whole number of at least 0.');
    expect(() => parse('--stem', 'prefix')).toThrow(
      new UsageError("option '--stem': expected none or prefix:N"),
    );
  });

  it('are described in the help with their range, choices and default', () => {
    const command = new Command('train');
    for (const option of optionsOfSchema(schema)) command.addOption(option);
    configureHelp(command);
    const help = command.helpInformation().replace(/\s+/g, ' ');
    expect(help).toContain('--epochs <n> passes over the data, from 1 to 100 (default: 10)');
    expect(help).toContain('(choices: mcdonald, bohnet; default: mcdonald,bohnet)');
    expect(help).toContain('--no-shuffle keep the order');
    expect(help).toContain('--single-root');
    expect(help).not.toContain('false');
  });
});
