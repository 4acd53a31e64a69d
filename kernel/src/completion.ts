/**
 * The command `completion` of a program: prints a script with which a shell completes commands and flags.
 * In: the tree of commands. Out: a script that has the words of every command, so that no key press starts Node.js.
 */
import type { Command } from 'commander'

export interface CompletionOptions {
  /** In the style of the program's other commands. */
  description: string
  /** The command whose flags are those of the program itself. */
  defaultCommand?: string
}

export function addCompletionCommand(program: Command, { description, defaultCommand = '' }: CompletionOptions): void {
  const name = program.name()
  const completion = program.command('completion').description(description)
  completion
    .addArgument(completion.createArgument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText(
      'after',
      `
To load it in every new shell:
  bash   echo 'eval "$(${name} completion bash)"' >> ~/.bashrc
  zsh    echo 'eval "$(${name} completion zsh)"' >> ~/.zshrc
  fish   ${name} completion fish \\
           > ~/.config/fish/completions/${name}.fish
In zsh the line must be after compinit.`,
    )
    .action((shell: keyof typeof scripts) => {
      process.stdout.write(scripts[shell](findWords(program, defaultCommand), name))
    })
}

/** The subcommands and flags of each command, by its names from the root: `identity export`. */
type Words = Map<string, string[]>

function findWords(program: Command, defaultCommand: string): Words {
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
  words.set('', [...new Set([...(words.get('') ?? []), ...(words.get(defaultCommand) ?? [])])])
  return words
}

const scripts = { bash: toBash, zsh: toZsh, fish: toFish }

const toIdentifier = (name: string) => name.replaceAll('-', '_')

/** Also for zsh, where `path` and `words` are names of its own, and slices of arrays are written differently. */
function toBash(words: Words, name: string): string {
  const id = toIdentifier(name)
  const cases = [...words].map(([path, all]) => `    '${path}') echo '${all.join(' ')}' ;;\n`).join('')
  return `_${id}_words() {
  case "$1" in
${cases}  esac
}
_${id}() {
  local at= next word index=1 current="\${COMP_WORDS[COMP_CWORD]}"
  while [ "$index" -lt "$COMP_CWORD" ]; do
    next="\${at:+$at }\${COMP_WORDS[index]}"
    if [ -n "$(_${id}_words "$next")" ]; then at="$next"; fi
    index=$((index + 1))
  done
  COMPREPLY=()
  for word in $(_${id}_words "$at"); do
    if [[ "$word" == "$current"* && ("$word" != -* || "$current" == -*) ]]; then COMPREPLY+=("$word"); fi
  done
}
complete -o default -F _${id} ${name}
`
}

function toZsh(words: Words, name: string): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${toBash(words, name)}`
}

function toFish(words: Words, name: string): string {
  const id = toIdentifier(name)
  const cases = [...words].map(([path, all]) => `    case '${path}'\n      printf '%s\\n' ${all.join(' ')}\n`).join('')
  return `function __${id}_words
  switch "$argv[1]"
${cases}  end
end
function __${id}_complete
  set -l path ''
  set -l given (commandline -opc)
  set -e given[1]
  for word in $given
    set -l next (string trim -- "$path $word")
    if count (__${id}_words "$next") >/dev/null
      set path "$next"
    end
  end
  if string match -q -- '-*' (commandline -ct)
    __${id}_words "$path"
  else
    __${id}_words "$path" | string match -v -- '-*'
  end
end
function __${id}_after_flag
  string match -q -- '--*' (commandline -opc)[-1]
end
complete -c ${name} -n 'not __${id}_after_flag' -f
complete -c ${name} -a '(__${id}_complete)'
`
}
