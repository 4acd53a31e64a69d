/**
 * Limits how often an account that no operator knows presses Pair: with open registration, anybody can have an account,
 * register guessed serial numbers, and wait for a sensor to be switched on.
 * In: an account and a local ID. Out: nothing, or `too_many_requests`. One record per account, which all processes
 * share.
 */
import { ApiError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/storage/store.ts'

export interface PairingPresses {
  /** @throws ApiError `too_many_requests` */
  count(accountId: string, localId: string): Promise<void>
}

interface Press {
  localId: string
  atMs: number
}

/**
 * Pairing requests of different sensors that are open at a time. One that was cancelled counts until its time has
 * passed.
 */
const maxOpen = 10
const maxPerHour = 60
const hourMs = 60 * 60_000

/** @param windowMs How long a pairing request is open. */
export function createPairingPresses(options: { store: Store; clock: Clock; windowMs: number }): PairingPresses {
  const { store, clock, windowMs } = options

  async function count(accountId: string, localId: string): Promise<void> {
    const key = `pairing-presses:${accountId}`
    const stored = await store.get<Press[]>(key)
    const presses = (stored ?? []).filter(({ atMs }) => clock.now() - atMs < hourMs)
    const open = presses.filter((press) => clock.now() - press.atMs < windowMs && press.localId !== localId)
    if (presses.length >= maxPerHour) {
      throw tooMany(`${maxPerHour} pairing requests in an hour`, (presses[0]?.atMs ?? 0) + hourMs)
    }
    if (new Set(open.map((press) => press.localId)).size >= maxOpen) {
      throw tooMany(`${maxOpen} open pairing requests`, (open[0]?.atMs ?? 0) + windowMs)
    }
    const next = [...presses, { localId, atMs: clock.now() }]
    // Another request of the account was first: look again.
    if (!(await store.replace(key, stored, next, hourMs))) return count(accountId, localId)
  }

  function tooMany(what: string, endsAtMs: number): ApiError {
    const seconds = Math.max(1, Math.ceil((endsAtMs - clock.now()) / 1_000))
    return new ApiError(
      'too_many_requests',
      `An account without a client application has at most ${what}; try again in ${seconds} s`,
      { headers: { 'Retry-After': String(seconds) } },
    )
  }

  return { count }
}
