import { Command } from 'commander';
import type { z } from 'zod';
import { UsageError } from '../../src/errors.ts';
import { refuseRepeated } from './repeated.ts';
import { optionsOfSchema } from './schema-options.ts';

/**
 * The options of a schema in a text that has them as they are typed: `--decoder eisner --epochs 3`, in the value of
 * an option, which messages name.
 *
 * @throws UsageError for what the schema has no option for, and values that are none
 */
export function optionsInText(schema: z.ZodType, text: string, within: string): Record<string, unknown> {
  const command = new Command().exitOverride().configureOutput({ outputError: () => undefined });
  command.helpOption(false).allowExcessArguments(false);
  for (const option of optionsOfSchema(schema)) command.addOption(option);
  refuseRepeated(command);
  try {
    command.parse(
      text.split(/\s+/).filter((word) => word !== ''),
      { from: 'user' },
    );
  } catch (error) {
    const problem = (error as Error).message.replace(/^error: /, '');
    throw new UsageError(`${within}: ${problem}`);
  }
  return command.opts();
}
