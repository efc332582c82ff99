import { Argument, type Command } from 'commander';
import { completionScripts } from '../completion/scripts.ts';
import { examples } from '../terminal/help.ts';
import { printText } from '../terminal/output.ts';

type Shell = keyof typeof completionScripts;

/** `parliament completion SHELL` */
export function completionCommand(command: Command): Command {
  return command
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(completionScripts)))
    .addHelpText(
      'after',
      `
Where it goes:
  bash  eval "$(parliament completion bash)", in ~/.bashrc
  zsh   eval "$(parliament completion zsh)", in ~/.zshrc after compinit
  fish  parliament completion fish > ~/.config/fish/completions/parliament.fish`,
    )
    .addHelpText('after', examples('eval "$(parliament completion bash)"'))
    .action((shell: Shell) => printText(completionScripts[shell]));
}
