/**
 * What the command prints.
 * In: messages and results. Out: for people, messages on standard error and results on standard output; with `--json`,
 * one JSON object per line on standard output and nothing else. Text of others cannot control the terminal.
 */
import { toVisible, toVisibleJson } from '@posrep/kernel/visible'
import type { ExitCode } from './exit-codes.ts'

export interface Output {
  readonly isJson: boolean
  /** A person reads it as it is written: a line can be overwritten. */
  readonly isTerminal: boolean
  /** Something that happened. `event` and `details` are for `--json`. */
  event(event: string, message: string, details?: object): void
  /** The result of the command. */
  result(text: string, value: object): void
  /** Prints the error and returns the exit status. */
  failed(code: string, message: string, exitCode: ExitCode): ExitCode
  /** Shows one line that the next one replaces; nothing where it cannot be replaced. */
  status(line: string): void
}

export function createOutput(isJson: boolean): Output {
  const isTerminal = !isJson && process.stderr.isTTY === true
  // What reads the output may have ended; the program goes on, or ends by itself.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe)
  let shown = ''

  return {
    isJson,
    isTerminal,
    event(event, message, details = {}) {
      if (isJson) json({ event, message, ...details })
      else line(`posrep-agent: ${message}`)
    },
    result(text, value) {
      if (isJson) return json(value)
      clear()
      process.stdout.write(`${toVisibleLines(text)}\n`)
    },
    failed(code, message, exitCode) {
      if (isJson) json({ error: { code, message, exitCode } })
      else line(`posrep-agent: error: ${message.trim()}`)
      return exitCode
    },
    status(text) {
      if (!isTerminal) return
      shown = toVisible(text).slice(0, (process.stderr.columns || 80) - 1)
      process.stderr.write(`\r\x1b[2K${shown}`)
    },
  }

  function json(value: object): void {
    process.stdout.write(`${toVisibleJson(JSON.stringify(value))}\n`)
  }

  function line(text: string): void {
    const status = shown
    clear()
    process.stderr.write(`${toVisibleLines(text)}\n`)
    if (status !== '') process.stderr.write((shown = status))
  }

  function clear(): void {
    if (shown !== '') process.stderr.write('\r\x1b[2K')
    shown = ''
  }
}

function toVisibleLines(text: string): string {
  return text.split('\n').map(toVisible).join('\n')
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
