/**
 * Passes the lines of a stream to a source, until the stream ends or the source is stopped.
 * In: a stream. Out: each line that is not blank, with `line 7` to name it in messages.
 */
import type { Readable } from 'node:stream'
import type { Sink } from '../source.ts'
import { readLines } from './read-lines.ts'

export interface LinesOptions {
  /**
   * Whether the stream can wait without a loss, as a file can: it is then read only while the spool has room. What a
   * program writes now cannot: it would be held up by an outage, and its positions with it. Default false.
   */
  canWait?: boolean
}

export async function eachLine(
  input: Readable,
  sink: Sink,
  { canWait = false }: LinesOptions,
  onLine: (line: string, where: string) => Promise<unknown>,
): Promise<void> {
  sink.signal.addEventListener('abort', () => input.destroy(), { once: true })
  let number = 0
  try {
    for await (const line of readLines(input)) {
      number += 1
      if (line.trim() === '') continue
      await onLine(line, `line ${number}`)
      if (canWait) await sink.room()
    }
  } catch (error) {
    // Destroying the input ends the loop with an error of the stream.
    if (!sink.signal.aborted) throw error
  }
}
