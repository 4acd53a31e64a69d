/**
 * `posrep-server completion`: prints a script with which a shell completes commands and flags.
 * In: the tree of commands. Out: a script that has the words of every command, so that no key press starts Node.js.
 */
import { Argument, type Command } from 'commander'

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print the script with which a shell completes commands and flags')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText(
      'after',
      `
To load it in every new shell:
  bash   echo 'eval "$(posrep-server completion bash)"' >> ~/.bashrc
  zsh    echo 'eval "$(posrep-server completion zsh)"' >> ~/.zshrc     (after compinit)
  fish   posrep-server completion fish > ~/.config/fish/completions/posrep-server.fish`,
    )
    .action((shell: keyof typeof scripts) => {
      process.stdout.write(scripts[shell](findWords(program)))
    })
}

/** The subcommands and flags of each command, by its names from the root: `accounts add`. */
type Words = Map<string, string[]>

function findWords(program: Command): Words {
  const words: Words = new Map()
  const collect = (command: Command, path: string[]) => {
    const help = command.createHelp()
    const subcommands = help.visibleCommands(command)
    const flags = help.visibleOptions(command).map(({ long, short }) => long ?? short ?? '')
    words.set(path.join(' '), [...subcommands.map((each) => each.name()), ...flags])
    for (const each of subcommands) collect(each, [...path, each.name()])
  }
  collect(program, [])
  // Without a command, the flags are those of `serve`.
  words.set('', [...new Set([...(words.get('') ?? []), ...(words.get('serve') ?? [])])])
  return words
}

const scripts = { bash: toBash, zsh: toZsh, fish: toFish }

/** Also for zsh, where `path` and `words` are names of its own, and slices of arrays are written differently. */
function toBash(words: Words): string {
  const cases = [...words].map(([path, all]) => `    '${path}') echo '${all.join(' ')}' ;;\n`).join('')
  return `_posrep_server_words() {
  case "$1" in
${cases}  esac
}
_posrep_server() {
  local at= next word index=1 current="\${COMP_WORDS[COMP_CWORD]}"
  while [ "$index" -lt "$COMP_CWORD" ]; do
    next="\${at:+$at }\${COMP_WORDS[index]}"
    if [ -n "$(_posrep_server_words "$next")" ]; then at="$next"; fi
    index=$((index + 1))
  done
  COMPREPLY=()
  for word in $(_posrep_server_words "$at"); do
    if [[ "$word" == "$current"* && ("$word" != -* || "$current" == -*) ]]; then COMPREPLY+=("$word"); fi
  done
}
complete -o default -F _posrep_server posrep-server
`
}

function toZsh(words: Words): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${toBash(words)}`
}

function toFish(words: Words): string {
  const cases = [...words].map(([path, all]) => `    case '${path}'\n      printf '%s\\n' ${all.join(' ')}\n`).join('')
  return `function __posrep_server_words
  switch "$argv[1]"
${cases}  end
end
function __posrep_server_complete
  set -l path ''
  set -l given (commandline -opc)
  set -e given[1]
  for word in $given
    set -l next (string trim -- "$path $word")
    if count (__posrep_server_words "$next") >/dev/null
      set path "$next"
    end
  end
  if string match -q -- '-*' (commandline -ct)
    __posrep_server_words "$path"
  else
    __posrep_server_words "$path" | string match -v -- '-*'
  end
end
function __posrep_server_after_flag
  string match -q -- '--*' (commandline -opc)[-1]
end
complete -c posrep-server -n 'not __posrep_server_after_flag' -f
complete -c posrep-server -a '(__posrep_server_complete)'
`
}
