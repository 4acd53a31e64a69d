/** Fakes of what tabs share: storage, locks, channels. */
import type { Channel, Locks, WebStorage } from '../../src/ports.ts'

export function aStorage(): WebStorage {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }
}

export const noLocks: Locks = { request: (_name, _options, task) => task() }

export function someLocks(): Locks {
  let last: Promise<unknown> = Promise.resolve()
  return {
    request(_name, _options, task) {
      const run = last.then(task)
      last = run.catch(() => {})
      return run
    },
  }
}

/** Channels with one name: a message reaches all except its sender, as a copy. */
export function someChannels() {
  const all = new Set<Channel>()
  return {
    open(): Channel {
      const channel: Channel = {
        onmessage: null,
        postMessage(message) {
          for (const other of all) {
            if (other !== channel) other.onmessage?.(new MessageEvent('message', { data: structuredClone(message) }))
          }
        },
      }
      all.add(channel)
      return channel
    },
  }
}
