/**
 * A rate limiter: counts per key in fixed windows and refuses with 429 and `Retry-After` above the limit.
 * Counts in memory; above `maxKeys` the oldest window is dropped. Where processes share a Redis, they add what they
 * have counted to common counts, after the answer and in steps, and learn what the others have counted. While it is
 * away, each process counts alone. rate-limiter-flexible is not used, as it reads the system's time itself
 * (docs/decisions/0040).
 */
import ipaddr from 'ipaddr.js'
import { ApiError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { SharedCounts } from '../ports/storage/shared-counts.ts'

export interface Throttle {
  /** @throws ApiError `too_many_requests` when the key has reached the limit of its window */
  check(key: string): void
  /** @param amount Default 1. */
  count(key: string, amount?: number): void
  /** The events counted in the window, as far as this process knows. */
  used(key: string): number
  /** Reads what other processes have counted, so that the other functions know it. */
  refresh(key: string): Promise<void>
}

export interface ThrottleOptions {
  clock: Clock
  /** Limit of counted events per window. At the limit, `check` throws. */
  limit: number
  windowMs: number
  /** The message of the error; the time to wait is appended. */
  message: string
  /** Limit of windows in memory. Default 50_000. */
  maxKeys?: number
  /** Shares the counts with other processes. Default: this process counts alone. */
  shared?: SharedThrottle | undefined
}

export interface SharedThrottle {
  counts: SharedCounts
  /** The name of this limit in all processes. */
  name: string
  /**
   * Share a window's events in steps of this number: a key that is used less often than that costs no write, and other
   * processes may miss this number of events less one. Default 1.
   */
  step?: number
}

interface Window {
  endsAtMs: number
  /** The shared total as last known, and what this process has counted since. */
  used: number
  /** Counted by this process, and not yet known to be in the shared total. */
  pending: number
  /** The part of `pending` that is on its way. */
  sending: number
}

/** Windows beyond this number are not shared, so that a flood of keys does not fill Redis: 10,000 take 2 MB. */
const maxSharedKeys = 10_000

export function createThrottle({
  clock,
  limit,
  windowMs,
  message,
  maxKeys = 50_000,
  shared,
}: ThrottleOptions): Throttle {
  // Windows are as long as each other, so insertion order is the order in which they end; shared ones may end earlier.
  const windows = new Map<string, Window>()

  function find(key: string): Window | undefined {
    const window = windows.get(key)
    if (!window || clock.now() < window.endsAtMs) return window
    windows.delete(key)
    return undefined
  }

  function sweep(): void {
    for (const [key, { endsAtMs }] of windows) {
      if (clock.now() < endsAtMs && windows.size < maxKeys) return
      windows.delete(key)
    }
  }

  function begin(): Window {
    return { endsAtMs: clock.now() + windowMs, used: 0, pending: 0, sending: 0 }
  }

  function put(key: string, window: Window): void {
    sweep()
    windows.set(key, window)
  }

  /** Adds what is pending to the shared total and takes the total over. */
  async function share(key: string, window: Window, { counts, name }: SharedThrottle): Promise<void> {
    const amount = window.pending - window.sending
    window.sending += amount
    try {
      const { endsAtMs } = window
      const total = await counts.add({ key: `${name} ${key}`, amount, windowMs, endsAtMs })
      window.pending -= amount
      window.used = total.used + window.pending
      window.endsAtMs = total.endsAtMs
    } catch {
      // The adapter logs it. The events stay pending for the next step.
    }
    window.sending -= amount
  }

  return {
    check(key) {
      const window = find(key)
      if (!window || window.used < limit) return
      const seconds = Math.max(1, Math.ceil((window.endsAtMs - clock.now()) / 1000))
      throw new ApiError('too_many_requests', `${message}; try again in ${seconds} s`, {
        headers: { 'Retry-After': String(seconds) },
      })
    },
    count(key, amount = 1) {
      const window = find(key) ?? begin()
      if (!windows.has(key)) put(key, window)
      window.used += amount
      window.pending += amount
      if (!shared || windows.size > maxSharedKeys) return
      if (window.pending - window.sending >= (shared.step ?? 1)) void share(key, window, shared)
    },
    used: (key) => find(key)?.used ?? 0,
    async refresh(key) {
      if (!shared) return
      const known = find(key)
      const window = known ?? begin()
      await share(key, window, shared)
      // Another call may have begun a window of this process meanwhile.
      if (!known && window.used > 0 && !find(key)) put(key, window)
    },
  }
}

/**
 * Returns the IPv4 address, or the first groups of 16 bits of an IPv6 address: by default three, because many providers
 * give a customer a whole /48.
 */
export function networkOf(address: string, ipv6Groups = 3): string {
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return parsed.toNormalizedString().split(':').slice(0, ipv6Groups).join(':')
}
