/**
 * What the SDK needs from outside, and the system's own.
 * The one file that names the system's time, the global fetch and the browser's storage and locks.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. */
  now(): number
}

export type Fetch = (request: Request) => Promise<Response>

/** One holder of a name at a time, in all tabs; as the browser's `navigator.locks`. */
export interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>
}

export const systemClock: Clock = { now: () => Date.now() }

export const systemFetch: Fetch = (request) => fetch(request)

/** Undefined where there is none, or where the user forbids it. */
export function findSystemStorage(): Storage | undefined {
  try {
    return globalThis.localStorage
  } catch {
    // Browsers throw on the mere mention when storage is disabled.
    return undefined
  }
}

export function findSystemLocks(): Locks | undefined {
  return globalThis.navigator?.locks
}
