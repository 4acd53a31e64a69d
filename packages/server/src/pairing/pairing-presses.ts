/**
 * Limits how often an account that no operator knows presses Pair: with open registration, anybody can have an account,
 * register guessed serial numbers, and wait for a sensor to be switched on.
 * In: an account and a local ID. Out: nothing, or `too_many_requests`. One record per account, which all processes
 * share.
 */
import { ApiError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import { changeStored, type Store } from '../ports/storage/store.ts'

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

  function add(stored: Press[], localId: string): Press[] {
    const presses = stored.filter(({ atMs }) => clock.now() - atMs < hourMs)
    const open = presses.filter((press) => clock.now() - press.atMs < windowMs && press.localId !== localId)
    if (presses.length >= maxPerHour) {
      throw tooMany(`${maxPerHour} pairing requests in an hour`, (presses[0]?.atMs ?? 0) + hourMs)
    }
    if (new Set(open.map((press) => press.localId)).size >= maxOpen) {
      throw tooMany(`${maxOpen} open pairing requests`, (open[0]?.atMs ?? 0) + windowMs)
    }
    return [...presses, { localId, atMs: clock.now() }]
  }

  function tooMany(what: string, endsAtMs: number): ApiError {
    const seconds = Math.max(1, Math.ceil((endsAtMs - clock.now()) / 1_000))
    return new ApiError(
      'too_many_requests',
      `An account without a client application has at most ${what}; try again in ${seconds} s`,
      { headers: { 'Retry-After': String(seconds) } },
    )
  }

  return {
    async count(accountId, localId) {
      const toNext = (stored: Press[] = []) => add(stored, localId)
      await changeStored(store, `pairing-presses:${accountId}`, toNext, hourMs)
    },
  }
}
