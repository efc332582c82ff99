import { existsSync } from 'node:fs';
import { Option } from 'commander';
import type { TemplateChooser } from '../../src/encoding/templates/choice.ts';
import { formatTemplates, readTemplateFile } from '../../src/encoding/templates/template-file.ts';
import { UsageError } from '../../src/errors.ts';
import { TextFile } from '../../src/files/text/text-file.ts';
import { print } from '../terminal/output.ts';

export const printTemplatesOption = () =>
  new Option(
    '--print-templates',
    'print the templates that these options ask for, in the format of their files, and do not train',
  );

/** What `--templates` said, with the templates of files in the place of their names. */
export async function readTemplates(
  { sets, sections }: TemplateChooser<never>,
  names: readonly string[],
): Promise<unknown[]> {
  return Promise.all(
    names.map(async (name) => {
      if (sets.includes(name)) return name;
      if (!existsSync(name)) {
        throw new UsageError(
          `option '--templates': '${name}' is not one of ${sets.join(', ')}, nor is there such a file`,
        );
      }
      return readTemplateFile(await textOf(name), name, sections);
    }),
  );
}

/** Prints the templates that options ask for. */
export function printTemplates<Options>(chooser: TemplateChooser<Options>, options: Options): void {
  print(formatTemplates(chooser.choose(options), chooser.sections).trimEnd());
}

async function textOf(path: string): Promise<string> {
  let text = '';
  for await (const chunk of new TextFile(path).chunks()) text += chunk;
  return text;
}
