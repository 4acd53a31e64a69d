/**
 * The help of the toolkit's commands, in one form: it fits every terminal, says defaults and variables behind each
 * flag, and ends with notes and examples.
 * In: a program before it has commands, and the texts of its commands. Out: their help.
 */
import type { Command, Option } from 'commander'

const columns = 80

/** Its commands take the form over. */
export function shapeHelp(program: Command): Command {
  return (
    program
      // Beside long flags there is room for a few words.
      .configureHelp({ optionDescription: toDescription, minWidthToWrap: 20 })
      .configureOutput({ getOutHelpWidth: () => columns, getErrHelpWidth: () => columns })
  )
}

function toDescription({ description, defaultValue, argChoices, envVar }: Option): string {
  const choices = argChoices ? ` (one of ${argChoices.join(', ')})` : ''
  const shown = defaultValue === undefined ? '' : ` (default: ${defaultValue})`
  return `${description}${choices}${shown}${envVar === undefined ? '' : ` [${envVar}]`}`
}

export interface HelpEnd {
  /** Sentences, which are wrapped. */
  notes?: string
  /** Each is a line, or several: a command that is longer than 78 characters is continued by "\". */
  examples?: readonly string[]
}

/** For `addHelpText('after', …)`. */
export function helpEnd({ notes, examples = [] }: HelpEnd): (context: { command: Command }) => string {
  return ({ command }) => {
    const wrapped = notes === undefined ? [] : ['', command.createHelp().boxWrap(notes, columns)]
    const heading = examples.length === 0 ? [] : ['', examples.length === 1 ? 'Example:' : 'Examples:']
    return [...wrapped, ...heading, ...examples.map((example) => `  ${example.replaceAll('\n', '\n  ')}`)].join('\n')
  }
}
