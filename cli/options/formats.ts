import { type Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../../src/errors.ts';
import { DEFAULT_ENCODING, encodingNamed } from '../../src/files/encoding.ts';
import { isRegularFile } from '../../src/files/files.ts';
import { STANDARD_STREAM } from '../../src/files/text-file.ts';
import type { TreebankFormat } from '../../src/treebank/reading/format.ts';
import { TREEBANK_FORMATS, UnknownFormatError, writtenEncoding } from '../../src/treebank/reading/format.ts';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';

interface ParsedAs {
  readonly format?: TreebankFormat | undefined;
  readonly encoding?: string | undefined;
  /** The format that is written; undefined: the input's. */
  readonly to?: TreebankFormat | undefined;
}

/**
 * The encoding of the output: the input's, or UTF-8 (undefined) if another format is converted to CoNLL-U or JSON. The
 * format of a pipe is not known before it is read.
 */
export async function parsedEncoding(input: string, { format, encoding, to }: ParsedAs) {
  if (encodingNamed(encoding) === DEFAULT_ENCODING) return undefined;
  if (input === STANDARD_STREAM || isRegularFile(input) === false)
    return format && writtenEncoding(format, to ?? format, encoding);
  try {
    const { format: own } = await openTreebank(input, { format, encoding, expect: 'tokens' });
    return writtenEncoding(own, to ?? own, encoding);
  } catch (error) {
    if (error instanceof UnknownFormatError) return undefined;
    throw error;
  }
}

export const toOption = (what: string, tables: readonly string[]) =>
  new Option('--to <name>', what).choices(tables).default('text');

/**
 * Accepts older spellings in a command that writes `tables`: `--format latex` is `--to latex` and, if the
 * command reads treebanks, `--from conllu` is `--format conllu`. `--format json` is the format of the
 * treebanks if there is `--to`, `--json` or an input named `.json`, otherwise of the tables. Refuses `--json`
 * with another format of tables.
 */
export function acceptOldFormats(command: Command, tables: readonly string[] = []): Command {
  const format = command.options.find(({ long }) => long === '--format');
  if (format === undefined) command.addOption(new Option('--format <name>').choices(tables).hideHelp());
  else {
    format.argParser(oneOf([...(format.argChoices ?? TREEBANK_FORMATS), ...tables]));
    command.addOption(new Option('--from <name>').choices(TREEBANK_FORMATS).hideHelp());
  }
  return command.hook('preAction', (_, acting) => settle(acting, tables));
}

/** Replaces commander's own check of `choices`, which help and completion show. */
function oneOf(known: readonly string[]): (name: string) => string {
  return (name) => {
    if (known.includes(name)) return name;
    throw new InvalidArgumentError(`Allowed choices are ${known.join(', ')}.`);
  };
}

function settle(command: Command, tables: readonly string[]): void {
  const { format, from, to, json } = command.opts<Readonly<Record<string, string | undefined>>>();
  const isAsked = command.getOptionValueSource('to') === 'cli';
  const isRead =
    (TREEBANK_FORMATS as readonly (string | undefined)[]).includes(format) &&
    (isAsked || json !== undefined || command.args.some((file) => /\.jsonl?(\.gz)?$/i.test(file)));
  const isOld = format !== undefined && tables.includes(format) && !isRead;
  if (isOld && isAsked && to !== format) throw new UsageError(`--to ${to} or --format ${format}, not both`);
  const shown = isOld ? format : to;
  if (json && (isOld || isAsked) && shown !== 'json')
    throw new UsageError(`--json or ${isOld ? '--format' : '--to'} ${shown}, not both`);
  const read = isOld ? undefined : format;
  if (from !== undefined && read !== undefined && from !== read)
    throw new UsageError(`--from ${from} and --format ${read} are both formats of the treebanks`);
  if (isOld) command.setOptionValue('to', format);
  command.setOptionValue('format', read ?? from);
}
