/**
 * Reads the writes of other processes at an interval, and continues after failures.
 * In: the read, and the interval. Out: a function that stops it, and resolves when no read is in progress.
 */
import type { Clock } from '../../ports/clock.ts'

export interface KeepReadingOptions {
  clock: Clock
  everyMs: number
  read(): Promise<unknown>
  /** Called for the first of several failures in a row. */
  onError(error: unknown): void
}

export function keepReading({ clock, everyMs, read, onError }: KeepReadingOptions): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping

  async function run(): Promise<void> {
    let isFailing = false
    while (!signal.aborted) {
      await clock.sleep(everyMs, signal)
      if (signal.aborted) return
      try {
        await read()
        isFailing = false
      } catch (error) {
        if (!isFailing) onError(error)
        isFailing = true
      }
    }
  }

  const ended = run()
  return async () => {
    stopping.abort()
    await ended
  }
}
