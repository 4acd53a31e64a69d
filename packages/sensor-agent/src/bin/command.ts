/** What a command of posrep-agent is: a name, its options, and a function that returns the exit status. */
import type { Option } from 'commander'
import type { ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'

/** What a command needs to know; `settings` has text for each option that was given, by its name. */
export interface CommandCall {
  settings: Record<string, string | boolean | undefined>
  argument: string | undefined
  output: Output
}

export interface CommandDefinition {
  name: string
  description: string
  options?: readonly (() => Option)[]
  /** Complete command lines, for the help. */
  examples?: readonly string[]
  /** Name and description, as Commander writes them: `<file>` is required, `[file]` is not. */
  argument?: [string, string]
  run?(call: CommandCall): Promise<ExitCode>
  /** Commands below this one, such as `identity export`. */
  commands?: readonly CommandDefinition[]
}
