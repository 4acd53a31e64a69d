/** Waits. In: a time in ms, and a signal that ends the wait. Out: a promise that never rejects. */

// Node fires a timer with a longer delay at once.
const longestTimerMs = 2 ** 31 - 1

/** The timer of node:timers/promises allocates an error for each abort, and most of the agent's sleeps are aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const wake = () => {
      clearTimeout(timer)
      // A signal may outlive thousands of sleeps.
      signal?.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, Math.min(Math.max(0, ms), longestTimerMs))
    signal?.addEventListener('abort', wake)
  })
}
