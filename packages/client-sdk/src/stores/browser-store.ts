/**
 * A store that the tabs of a browser share, on any storage of the origin.
 * In: a storage, locks, and a channel between the tabs. Out: a TokenStore. While the storage fails, for example because
 * it is full or disabled, the tabs keep the tokens in memory and send them to each other.
 */
import { type Channel, findSystemPage, type Locks, systemClock } from '../ports.ts'
import { isTokens, parseTokens, type Tokens } from '../session/tokens.ts'
import { createMutex } from './mutex.ts'
import type { TokenStore } from './token-store.ts'

/** One text, which the tabs share. Each method may throw or reject. */
export interface SharedText {
  read(): string | null | undefined | Promise<string | null | undefined>
  write(text: string): void | Promise<void>
  remove(): void | Promise<void>
}

export interface BrowserStoreOptions {
  /** Name of the lock. */
  name: string
  text: SharedText
  locks: Locks | undefined
  channel: Channel | undefined
  /** The window's event after which a change by another tab can be read. Default: none, as it can be read at once. */
  changeEvent?: 'storage'
}

/** To the other tabs. `unsaved` has the tokens that could not be stored; otherwise the storage has the truth. */
type Message = { unsaved?: Tokens | 'none' }

/** Longer than a refresh takes. A tab that was suspended with the lock must not stop the others for ever. */
const longestWaitMs = 40_000

/** For this time another tab may still read what was stored before a write. */
const writeIsSeenMs = 100

export function browserStore({ name, text, locks, channel, changeEvent }: BrowserStoreOptions): TokenStore {
  let unsaved: Tokens | 'none' | undefined
  let hasWorked = false
  const listeners = new Set<() => void>()
  const mutex = createMutex()

  if (channel) {
    channel.onmessage = ({ data }: MessageEvent) => {
      unsaved = readMessage(data)
      notify()
    }
  }
  const page = findSystemPage()
  // A message may come before the change of the storage can be read.
  if (changeEvent) page?.addEventListener(changeEvent, notify)
  // A page that the browser kept while its user was elsewhere got no messages.
  page?.addEventListener('pageshow', notify)

  return {
    async read() {
      if (unsaved !== undefined) return unsaved === 'none' ? undefined : unsaved
      try {
        const tokens = parseTokens(await text.read())
        hasWorked = true
        return tokens
      } catch (error) {
        if (hasWorked) throw error
        // The storage is disabled, so nothing was stored.
        return undefined
      }
    },
    write: (tokens) => change(() => text.write(JSON.stringify(tokens)), tokens),
    clear: () => change(() => text.remove(), 'none'),
    lock: (task) => (locks ? withLock(locks, task) : mutex(task)),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }

  function notify(): void {
    for (const listener of listeners) listener()
  }

  async function change(save: () => void | Promise<void>, otherwise: Tokens | 'none'): Promise<void> {
    try {
      await save()
      hasWorked = true
      unsaved = undefined
    } catch {
      // Losing the tokens would sign the user out, and keeping cleared ones would sign the user in again.
      unsaved = otherwise
    }
    const message: Message = unsaved === undefined ? {} : { unsaved }
    channel?.postMessage(message)
  }

  async function withLock<T>(locks: Locks, task: () => Promise<T>): Promise<T> {
    let isStarted = false
    try {
      return await new Promise<T>((resolve, reject) => {
        const run = async () => {
          isStarted = true
          const done = task()
          done.then(resolve, reject)
          await done.catch(() => {})
          // Browsers show a write to other tabs a moment later, and the next holder of the lock must not read the old
          // tokens.
          await new Promise<void>((seen) => void systemClock.startTimer(writeIsSeenMs, seen))
        }
        locks.request(name, { signal: AbortSignal.timeout(longestWaitMs) }, run).catch(reject)
      })
    } catch (error) {
      if (isStarted) throw error
      // Browsers refuse locks when storage is disabled, or the wait was too long: the service's grace has to do.
      return mutex(task)
    }
  }
}

/** Other scripts of the origin can send on the channel too. */
function readMessage(data: unknown): Tokens | 'none' | undefined {
  const unsaved: unknown = (data as Message | null | undefined)?.unsaved
  return unsaved === 'none' || isTokens(unsaved) ? unsaved : undefined
}
