/**
 * A rate limiter: counts per key in fixed windows and refuses with 429 and `Retry-After` above the limit. In memory, per
 * process; above `maxKeys` the oldest window is dropped.
 * rate-limiter-flexible is not used, as it reads the system's time itself; this follows the Clock.
 */
import ipaddr from 'ipaddr.js'
import { ApiError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'

export interface Throttle {
  /** @throws ApiError `too_many_requests` when the key has reached the limit of its window */
  check(key: string): void
  count(key: string): void
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
}

interface Window {
  endsAtMs: number
  used: number
}

export function createThrottle({ clock, limit, windowMs, message, maxKeys = 50_000 }: ThrottleOptions): Throttle {
  // All windows have the same length, so insertion order is the order in which they end.
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

  return {
    check(key) {
      const window = find(key)
      if (!window || window.used < limit) return
      const seconds = Math.max(1, Math.ceil((window.endsAtMs - clock.now()) / 1000))
      throw new ApiError('too_many_requests', `${message}; try again in ${seconds} s`, {
        headers: { 'Retry-After': String(seconds) },
      })
    },
    count(key) {
      const window = find(key)
      if (window) {
        window.used++
        return
      }
      sweep()
      windows.set(key, { endsAtMs: clock.now() + windowMs, used: 1 })
    },
  }
}

/** Returns the IPv4 address, or the first 64 bits of an IPv6 address, because one customer usually has a whole /64. */
export function toCaller(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return parsed.toNormalizedString().split(':').slice(0, 4).join(':')
}
