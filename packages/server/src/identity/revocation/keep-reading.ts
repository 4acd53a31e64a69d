/**
 * Reads regularly what other processes may have written, also after failures.
 * In: the read, and the interval. Out: a function that stops it, and resolves when no read is in progress.
 */
import type { Clock } from '../../ports/clock.ts'

export interface KeepReadingOptions {
  clock: Clock
  everyMs: number
  read(): Promise<unknown>
  /** Called once, until a read succeeds again. */
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
