import { type Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../../src/errors.ts';
import { TREEBANK_FORMATS } from '../../src/treebank/reading/format.ts';

export const toOption = (what: string, tables: readonly string[]) =>
  new Option('--to <name>', what).choices(tables).default('text');

/**
 * Understands older spellings in a command that writes `tables`: `--format latex` is `--to latex` and, if the command
 * reads treebanks, `--from conllu` is `--format conllu`. `json` names both: it is read where `--to`, `--json` or the name of
 * an input says so. Refuses `--json` with another format of tables.
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
    (isAsked || json !== undefined || command.args.some((file) => /\.json(\.gz)?$/i.test(file)));
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
