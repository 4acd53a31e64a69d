/**
 * How much of the courier one host may take: many devices may relay to one, and it may hang.
 * In: attempts. Out: whether one more may begin now. A host that answers at once is bounded by its parallel attempts
 * alone; of one that lets them wait, a few at a time are enough to see when it is back.
 */
import type { Clock } from '../ports/clock.ts'

export interface HostLoad {
  /** `undefined` when the host has enough of them. */
  begin(host: string): BegunAttempt | undefined
  /** False also while it hangs. */
  isHalfFree(host: string): boolean
}

export interface BegunAttempt {
  end(): void
  /** It was answered. True when the next one may begin in its place: the host does not hang. */
  again(): boolean
}

interface Load {
  /** As many as there have been attempts at the same time; each is given to one after the other. */
  places: Place[]
  free: Place[]
  /** As of `countedAtMs`. */
  stalled: number
  countedAtMs: number
}

interface Place extends BegunAttempt {
  /** Infinity when no attempt is there. */
  startedAtMs: number
}

const maxAttempts = 128
const maxStalled = 16
const stalledAfterMs = 1_000

export function createHostLoad({ clock }: { clock: Clock }): HostLoad {
  const hosts = new Map<string, Load>()

  function isFull(load: Load, nowMs: number): boolean {
    const attempts = load.places.length - load.free.length
    return attempts >= maxAttempts || hangs(load, nowMs)
  }

  function hangs(load: Load, nowMs: number): boolean {
    const attempts = load.places.length - load.free.length
    return attempts >= maxStalled && countStalled(load, nowMs) >= maxStalled
  }

  /** Once for all that come at the same time. */
  function countStalled(load: Load, nowMs: number): number {
    if (load.countedAtMs === nowMs) return load.stalled
    load.countedAtMs = nowMs
    load.stalled = 0
    for (const { startedAtMs } of load.places) if (nowMs - startedAtMs >= stalledAfterMs) load.stalled++
    return load.stalled
  }

  function addPlace(host: string, load: Load): Place {
    const { places, free } = load
    const start = (atMs: number) => {
      if (load.countedAtMs - place.startedAtMs >= stalledAfterMs) load.stalled--
      place.startedAtMs = atMs
    }
    const place: Place = {
      startedAtMs: Number.POSITIVE_INFINITY,
      again() {
        const nowMs = clock.now()
        start(nowMs)
        return !hangs(load, nowMs)
      },
      end() {
        start(Number.POSITIVE_INFINITY)
        if (free.push(place) === places.length) hosts.delete(host)
      },
    }
    places.push(place)
    return place
  }

  return {
    isHalfFree(host) {
      const load = hosts.get(host)
      return !load || (load.places.length - load.free.length < maxAttempts / 2 && !isFull(load, clock.now()))
    },
    begin(host) {
      const load = hosts.get(host) ?? { places: [], free: [], stalled: 0, countedAtMs: 0 }
      const nowMs = clock.now()
      if (isFull(load, nowMs)) return undefined
      const place = load.free.pop() ?? addPlace(host, load)
      place.startedAtMs = nowMs
      hosts.set(host, load)
      return place
    },
  }
}
