/**
 * The SDK's ports and their default implementations.
 * No other file uses the system's time, chance, the global fetch, or what only browsers have: the page, its storage,
 * locks and channels.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. */
  now(): number
  /** Runs the task once after `ms`. Returns a function that cancels it. */
  startTimer(ms: number, task: () => void): () => void
}

/**
 * Like the global fetch. `init.signal` is in place of the request's own signal, and is missing where that one counts.
 */
export type Fetch = (request: Request, init?: { signal: AbortSignal }) => Promise<Response>

/** Exclusive locks by name, shared by all tabs, like the browser's `navigator.locks`. */
export interface Locks {
  request<T>(name: string, options: { signal?: AbortSignal }, task: () => Promise<T>): Promise<T>
}

/** The part of `localStorage` and `sessionStorage` that is used. */
export interface WebStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** Messages to the other tabs of the origin, like the browser's `BroadcastChannel`. */
export interface Channel {
  postMessage(message: unknown): void
  onmessage: ((event: MessageEvent) => void) | null
  close?(): void
}

/** The events of `window` that are used. */
interface PageEvents {
  /** Another tab changed web storage. */
  storage: unknown
  /** The page is shown; `persisted`: it was kept when its user left it, and the user came back. */
  pageshow: Pick<PageTransitionEvent, 'persisted'>
  /** The page is left. */
  pagehide: unknown
}

/** The part of `window` that is used. */
export interface Page {
  location: { readonly href: string; assign(url: string): void }
  history: { readonly state: unknown; replaceState(state: unknown, unused: string, url: string): void }
  opener: { readonly closed: boolean } | null
  screen: { readonly width: number; readonly height: number }
  open(url: string, name: string, features: string): Popup | null
  close(): void
  addEventListener<K extends keyof PageEvents>(type: K, listener: (event: PageEvents[K]) => void): void
  removeEventListener<K extends keyof PageEvents>(type: K, listener: (event: PageEvents[K]) => void): void
}

/** The part of a popup's window that is used. */
export interface Popup {
  readonly closed: boolean
  location: { readonly href: string; replace(url: string): void }
  close(): void
}

/** Returns a number from 0 to below 1, like `Math.random`. */
export type Random = () => number

export const systemRandom: Random = () => Math.random()

export const systemClock: Clock = {
  now: () => Date.now(),
  startTimer(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}

export const systemFetch: Fetch = (request, init) => fetch(request, init)

/** Undefined if there is no such storage or the user has disabled it. */
export function findSystemStorage(name: 'localStorage' | 'sessionStorage'): WebStorage | undefined {
  try {
    return globalThis[name]
  } catch {
    // Browsers throw on access to the property when storage is disabled.
    return undefined
  }
}

export function findSystemLocks(): Locks | undefined {
  return globalThis.navigator?.locks
}

/** Undefined if there are no channels. */
export function openSystemChannel(name: string): Channel | undefined {
  if (typeof BroadcastChannel === 'undefined') return undefined
  const channel = new BroadcastChannel(name)
  // On Node an open channel would keep the process running.
  ;(channel as { unref?(): void }).unref?.()
  return channel
}

export function findSystemIndexedDb(): IDBFactory | undefined {
  return globalThis.indexedDB
}

/** Undefined outside of browsers. */
export function findSystemPage(): Page | undefined {
  return typeof window === 'undefined' ? undefined : window
}
