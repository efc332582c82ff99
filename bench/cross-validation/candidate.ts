import { Command } from 'commander';
import { optionsOfSchema, readOptions } from '../../cli/options/schema-options.ts';
import { readTemplates } from '../../cli/options/templates.ts';
import type { Paradigm } from '../../parsers/parser.ts';
import { findParadigm } from '../../parsers/registry.ts';

/** What may be chosen: a paradigm's options, under the words that ask `parliament train` for them. */
export interface Candidate {
  readonly words: string;
  readonly paradigm: Paradigm;
  readonly options: object;
}

/** The paradigm and the options that words ask for, read as the command line reads them. */
export async function candidateOf(name: string, words: string): Promise<Candidate> {
  const paradigm = await findParadigm(name);
  const { options, templates } = paradigm;
  const command = new Command(`train ${name}`);
  for (const option of optionsOfSchema(options)) command.addOption(option);
  command.parse(words.split(/\s+/).filter(Boolean), { from: 'user' });
  const values = command.opts<{ templates?: readonly string[] }>();
  const read = templates && { templates: await readTemplates(templates, values.templates ?? []) };
  return { words, paradigm, options: readOptions(options, { ...values, ...read }) as object };
}
