/**
 * The SDK's ports and their default implementations.
 * No other file uses the system's time, the global fetch, or the browser's storage and locks.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. */
  now(): number
}

export type Fetch = (request: Request) => Promise<Response>

/** Exclusive locks by name, shared by all tabs, like the browser's `navigator.locks`. */
export interface Locks {
  request<T>(name: string, task: () => Promise<T>): Promise<T>
}

export const systemClock: Clock = { now: () => Date.now() }

export const systemFetch: Fetch = (request) => fetch(request)

/** Undefined if there is no localStorage or the user has disabled it. */
export function findSystemStorage(): Storage | undefined {
  try {
    return globalThis.localStorage
  } catch {
    // Browsers throw on access to the property when storage is disabled.
    return undefined
  }
}

export function findSystemLocks(): Locks | undefined {
  return globalThis.navigator?.locks
}
