import { Command as BaseCommand, type Option } from 'commander';
import { choiceOption, integerOption, repeatable } from './common.ts';
import { acceptOldFormats } from './formats.ts';

/** A commander command with shorthands for this program's kinds of options. */
export class Command extends BaseCommand {
  override createCommand(name?: string): Command {
    return new Command(name);
  }

  with(...options: readonly Option[]): this {
    for (const option of options) this.addOption(option);
    return this;
  }

  choice(...option: Parameters<typeof choiceOption>): this {
    return this.addOption(choiceOption(...option));
  }

  integer(...option: Parameters<typeof integerOption>): this {
    return this.addOption(integerOption(...option));
  }

  repeatable(...option: Parameters<typeof repeatable>): this {
    return this.addOption(repeatable(...option));
  }

  acceptOldFormats(tables?: readonly string[]): this {
    acceptOldFormats(this, tables);
    return this;
  }

  examples(...lines: readonly string[]): this {
    const title = lines.length === 1 ? 'Example' : 'Examples';
    return this.addHelpText('after', `\n${title}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`);
  }
}
