/**
 * The receiver's ports and their default implementations.
 * No other file uses the system's time, the global fetch or the console.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. */
  now(): number
  /** Resolves after `ms`, or at once when `signal` aborts; it never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export type Fetch = (request: Request) => Promise<Response>

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep(ms, signal) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      signal?.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    })
  },
}

export const systemFetch: Fetch = (request) => fetch(request)

export function printToConsole(cause: unknown): void {
  console.error(cause)
}
