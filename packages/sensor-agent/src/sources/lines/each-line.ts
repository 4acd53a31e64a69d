/**
 * Passes the lines of a stream to a source, until the stream ends or the source is stopped.
 * In: a stream. Out: each line that is not blank, with `line 7` to name it in messages. Reading pauses while the spool is full.
 */
import type { Readable } from 'node:stream'
import type { Sink } from '../source.ts'
import { readLines } from './read-lines.ts'

export async function eachLine(
  input: Readable,
  sink: Sink,
  onLine: (line: string, where: string) => Promise<unknown>,
): Promise<void> {
  sink.signal.addEventListener('abort', () => input.destroy(), { once: true })
  let number = 0
  try {
    for await (const line of readLines(input)) {
      number += 1
      if (line.trim() === '') continue
      await onLine(line, `line ${number}`)
      await sink.room()
    }
  } catch (error) {
    // Destroying the input ends the loop with an error of the stream.
    if (!sink.signal.aborted) throw error
  }
}
