import { Argument } from 'commander';
import type { Command } from '../options/command.ts';
import { printText } from '../terminal/output.ts';

/**
 * The scripts run `parliament __complete WORD…`, which prints a line `value TAB description` per candidate,
 * and `:files` where the shell should complete file names.
 */
export const COMPLETE = '__complete';
export const FILES = ':files';

const bash = `# parliament completion for bash (3.2 and later)
_parliament() {
  local line files= word="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == ${FILES} ]]; then files=1; else COMPREPLY+=("\${line%%$'\\t'*}"); fi
  done < <("$1" ${COMPLETE} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ -n $files ]]; then
    [[ $word == = ]] && word=
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word")
  fi
}
complete -F _parliament parliament
`;

const zsh = `#compdef parliament
# parliament completion for zsh
_parliament() {
  local line files=
  local -a candidates
  for line in "\${(@f)$(\${words[1]} ${COMPLETE} "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      '') ;;
      ${FILES}) files=1 ;;
      *) candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  (( $#candidates )) && _describe parliament candidates
  [[ -n $files ]] && { compset -P '--*='; _files }
}
if [[ $funcstack[1] == _parliament ]]; then _parliament "$@"; else compdef _parliament parliament; fi
`;

const fish = `# parliament completion for fish
function __parliament_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    for line in ($words[1] ${COMPLETE} $words[2..-1] "$word" 2>/dev/null)
        if test "$line" = ${FILES}
            set -l flag (string match -r '^--[^=]+=' -- "$word")
            __fish_complete_path (string replace -r '^--[^=]+=' '' -- "$word") | string replace -r -- '^' "$flag"
        else
            echo $line
        end
    end
end
complete -c parliament -f -a '(__parliament_complete)'
`;

const completionScripts = { bash, zsh, fish } as const;

export function completionCommand(command: Command): Command {
  return command
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(completionScripts)))
    .addHelpText('after', whereItGoes)
    .examples('eval "$(parliament completion bash)"')
    .action((shell: keyof typeof completionScripts) => printText(completionScripts[shell]));
}

const whereItGoes = `
Installation:
  bash  eval "$(parliament completion bash)", in ~/.bashrc
  zsh   eval "$(parliament completion zsh)", in ~/.zshrc after compinit
  fish  parliament completion fish > ~/.config/fish/completions/parliament.fish`;
