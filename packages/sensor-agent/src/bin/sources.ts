/** The sources of the command: a recording, and lines of JSON on standard input. */
import { AgentError } from '../errors.ts'
import { readLines } from '../sources/read-lines.ts'
import { replay } from '../sources/replay.ts'
import { log, type Source } from './run.ts'
import { checkReadable, type PlayOptions, toNumber, toTimeZone } from './settings.ts'

export function replaySource(recording: string, options: PlayOptions): Source {
  checkReadable('recording', recording)
  const speed = toNumber('--speed', options.speed, 0.001)
  const timeZone = toTimeZone('--time-zone', options.timeZone)
  const loop = options.loop === true

  return async (agent, signal) => {
    for await (const position of replay(recording, { speed, loop, timeZone, signal })) await agent.report(position)
    return 0
  }
}

// Above this size reading from standard input pauses, so that the spool does not drop positions.
const maxSpooledBytes = 16 * 1_024 * 1_024

export function lineSource(input: NodeJS.ReadStream = process.stdin): Source {
  return async (agent, signal) => {
    signal.addEventListener('abort', () => input.destroy())
    let lineNumber = 0
    let unreadable = 0
    for await (const line of readLines(input)) {
      lineNumber += 1
      if (line.trim() === '') continue
      try {
        await agent.reportJson(line)
      } catch (error) {
        if (!(error instanceof AgentError)) throw error
        unreadable += 1
        log(`line ${lineNumber}: ${error.message}`)
      }
      if (agent.stats().spooledBytes > maxSpooledBytes) await agent.flush()
    }
    return unreadable
  }
}
