/**
 * Devices that wait for a place at their relay's host, each in its turn.
 * In: who found no place, and who is about to give up one. Out: whose turn it is; that one gets ready meanwhile, so that the
 * place is not empty for as long as it takes to read what is owed.
 */
import type { Clock } from '../ports/clock.ts'

export interface CrowdedLines {
  /** Returns how long it waits, unless it gets the place of another: the more wait there, the longer. */
  add(host: string, line: string): number
  /** It has a place now. */
  remove(host: string, line: string): void
  /** Whoever has waited for longest; it waits no more, and has its turn when `free` is called. */
  call(host: string): CalledLine | undefined
  /** Of who was called and came before its turn: resolves when the place is free, or will not be soon. */
  turn(line: string): Promise<void> | undefined
}

export interface CalledLine {
  line: string
  free(): void
}

/** Without a reason one is made, and its stack with it. */
const itsTurn = 'its turn'

/** A host may hang: not for longer, and not so many that devices of other hosts would wait for them. */
const turnMs = 100
const maxTurns = 64

/** Whoever comes by itself is read in vain as long as its host is full. */
const restMs = 2_000
const longestRestMs = 30_000
/** Of this many that wait one gets its turn in `restMs`, so to say. */
const linesPerRest = 64

export interface CrowdedLinesOptions {
  clock: Clock
  /** 0 to below 1. */
  random: () => number
}

export function createCrowdedLines({ clock, random }: CrowdedLinesOptions): CrowdedLines {
  const hosts = new Map<string, Set<string>>()
  const called = new Map<string, AbortController>()
  let turns = 0

  function remove(host: string, line: string): void {
    const lines = hosts.get(host)
    lines?.delete(line)
    if (lines?.size === 0) hosts.delete(host)
  }

  async function wait(free: AbortController): Promise<void> {
    turns++
    await clock.sleep(turnMs, free.signal)
    turns--
  }

  return {
    remove,
    add(host, line) {
      const lines = (hosts.get(host) ?? new Set()).add(line)
      hosts.set(host, lines)
      const onAverageMs = restMs * Math.max(1, lines.size / linesPerRest)
      return Math.min(onAverageMs, longestRestMs) * (0.5 + random())
    },
    call(host) {
      const [line] = hosts.get(host) ?? []
      if (line === undefined) return undefined
      remove(host, line)
      const free = new AbortController()
      called.set(line, free)
      return {
        line,
        free() {
          if (called.get(line) === free) called.delete(line)
          free.abort(itsTurn)
        },
      }
    },
    turn(line) {
      const free = called.get(line)
      return free && turns < maxTurns ? wait(free) : undefined
    },
  }
}
