/**
 * Runs tasks of many addresses in fair turns: the address that has had the fewest turns is next.
 * In: tasks, each with its address. Out: each task's own result, or ApiError `too_many_requests` when too many tasks
 * wait. All addresses of one network together have as many turns as 100 addresses elsewhere: networks are cheap to get
 * addresses in. When too many tasks wait, the one that would start last is refused: of the network that has most of
 * them, the newest.
 */
import { createLimit } from '../../concurrency/limit.ts'
import { createThrottle, networkOf } from '../../http/throttle.ts'
import type { Clock } from '../../ports/clock.ts'

export interface FairTurn {
  /** Turns of different keys do not wait for each other. */
  key: string
  address: string
  /** Counted apart from the other turns of its address, and one turn ahead of them. Default false. */
  isAhead?: boolean
}

export type FairTurns = <T>(turn: FairTurn, task: () => Promise<T>) => Promise<T>

export interface FairTurnsOptions {
  clock: Clock
  /** For how long a turn counts. */
  windowMs: number
  /** Limit of running tasks per key. Default 1. */
  maxRunning?: number
  /** Limit of waiting tasks per key. */
  maxWaiting: number
}

const addressesPerNetwork = 100

export function createFairTurns({ clock, windowMs, ...limits }: FairTurnsOptions): FairTurns {
  const limit = createLimit(limits)
  // Only the counts are used.
  const turns = createThrottle({ clock, limit: Number.POSITIVE_INFINITY, windowMs, message: '' })
  const waiting = new Map<string, number>()

  function countWaiting(network: string, change: 1 | -1): void {
    const count = (waiting.get(network) ?? 0) + change
    if (count === 0) waiting.delete(network)
    else waiting.set(network, count)
  }

  return async ({ key, address, isAhead = false }, task) => {
    const ofAddress = `${isAhead ? 'ahead' : 'address'} ${networkOf(address)} ${key}`
    const ofNetwork = `network ${toNetwork(address)} ${key}`
    const share = (turns.used(ofNetwork) + (waiting.get(ofNetwork) ?? 0)) / addressesPerNetwork
    const rank = turns.used(ofAddress) + share + (isAhead ? 0 : 1)
    let isWaiting = true
    function endWaiting(): void {
      if (isWaiting) countWaiting(ofNetwork, -1)
      isWaiting = false
    }
    countWaiting(ofNetwork, 1)
    try {
      return await limit(
        key,
        () => {
          endWaiting()
          turns.count(ofAddress)
          turns.count(ofNetwork)
          return task()
        },
        rank,
      )
    } finally {
      endWaiting()
    }
  }
}

/** The first 16 bits of an IPv4 address, the first 32 bits of an IPv6 address. */
function toNetwork(address: string): string {
  return networkOf(address, 2).split('.').slice(0, 2).join('.')
}
