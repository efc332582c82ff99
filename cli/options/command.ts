import { Command as BaseCommand, type Option } from 'commander';
import { choiceOption, integerOption, severalTimes } from './common.ts';
import { acceptOldFormats } from './formats.ts';

/** A command that takes the kinds of options of this program. */
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

  severalTimes(...option: Parameters<typeof severalTimes>): this {
    return this.addOption(severalTimes(...option));
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
