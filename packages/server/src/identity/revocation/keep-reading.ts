/**
 * Reads again and again what other processes may have written, through every failure.
 * In: the reading, and how long to wait between two. Out: the way to stop, which resolves when nothing is under way.
 */
import type { Clock } from '../../ports/clock.ts'

export interface KeepReadingOptions {
  clock: Clock
  everyMs: number
  read(): Promise<unknown>
  /** Told once, until a reading ends well again. */
  onError(error: unknown): void
}

export function keepReading({ clock, everyMs, read, onError }: KeepReadingOptions): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping

  async function run(): Promise<void> {
    let isCutOff = false
    while (!signal.aborted) {
      await clock.sleep(everyMs, signal)
      if (signal.aborted) return
      try {
        await read()
        isCutOff = false
      } catch (error) {
        if (!isCutOff) onError(error)
        isCutOff = true
      }
    }
  }

  const ended = run()
  return async () => {
    stopping.abort()
    await ended
  }
}
