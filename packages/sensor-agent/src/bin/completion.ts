/**
 * `posrep-agent completion`: prints a script with which a shell completes commands and flags.
 * In: the tree of commands. Out: a script that has the words of every command, so that no key press starts Node.js.
 */
import { Argument, type Command } from 'commander'

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('prints the script with which a shell completes commands and flags')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText(
      'after',
      `
To load it in every new shell:
  bash   echo 'eval "$(posrep-agent completion bash)"' >> ~/.bashrc
  zsh    echo 'eval "$(posrep-agent completion zsh)"' >> ~/.zshrc     (after compinit)
  fish   posrep-agent completion fish > ~/.config/fish/completions/posrep-agent.fish`,
    )
    .action((shell: keyof typeof scripts) => {
      process.stdout.write(scripts[shell](findWords(program)))
    })
}

/** The subcommands and flags of each command, by its names from the root: `identity export`. */
type Words = Map<string, string[]>

function findWords(program: Command): Words {
  const words: Words = new Map()
  const collect = (command: Command, path: string[]) => {
    const help = command.createHelp()
    const subcommands = help.visibleCommands(command)
    const flags = help.visibleOptions(command).map(({ long, short }) => long ?? short ?? '')
    const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
    words.set(path.join(' '), [...subcommands.map((each) => each.name()), ...choices, ...flags])
    for (const each of subcommands) collect(each, [...path, each.name()])
  }
  collect(program, [])
  return words
}

const scripts = { bash: toBash, zsh: toZsh, fish: toFish }

function toBash(words: Words): string {
  return `${toFunction(words)}_posrep_agent() {
  local path= next words word current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${path:+$path }$word"
    if [ -n "$(_posrep_agent_words "$next")" ]; then path="$next"; fi
  done
  words="$(_posrep_agent_words "$path")"
  COMPREPLY=()
  for word in $(compgen -W "$words" -- "$current"); do
    if [[ "$word" != -* || "$current" == -* ]]; then COMPREPLY+=("$word"); fi
  done
}
complete -o default -F _posrep_agent posrep-agent
`
}

/** In zsh, `path` and `words` have meanings of their own. */
function toZsh(words: Words): string {
  return `${toFunction(words)}_posrep_agent() {
  local place= next word
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    next="\${place:+$place }$word"
    if [ -n "$(_posrep_agent_words "$next")" ]; then place="$next"; fi
  done
  found=(\${=$(_posrep_agent_words "$place")})
  if [[ "$words[CURRENT]" != -* ]]; then found=(\${found:#-*}); fi
  compadd -a found || _files
}
compdef _posrep_agent posrep-agent
`
}

/** A shell function that prints the words of the command with the names `$1`. */
function toFunction(words: Words): string {
  const cases = [...words].map(([path, all]) => `    '${path}') echo '${all.join(' ')}' ;;\n`).join('')
  return `_posrep_agent_words() {
  case "$1" in
${cases}  esac
}
`
}

function toFish(words: Words): string {
  const cases = [...words].map(([path, all]) => `    case '${path}'\n      printf '%s\\n' ${all.join(' ')}\n`).join('')
  return `function __posrep_agent_words
  switch "$argv[1]"
${cases}  end
end
function __posrep_agent_complete
  set -l path ''
  set -l given (commandline -opc)
  set -e given[1]
  for word in $given
    set -l next (string trim -- "$path $word")
    if count (__posrep_agent_words "$next") >/dev/null
      set path "$next"
    end
  end
  __posrep_agent_words "$path"
end
# No files where a command is expected; the value of a flag may be one.
complete -c posrep-agent -n '__posrep_agent_complete | string match -qv -- "-*"; and not string match -q -- "-*" (commandline -opc)[-1]' -f
complete -c posrep-agent -a '(__posrep_agent_complete)'
`
}
