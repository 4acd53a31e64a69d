/**
 * Keeps a log readable, and an SD card alive: of events that repeat, one per minute, with the number of those that it
 * stands for.
 * In: an output. Out: one for a program that runs for long.
 */
import type { Clock } from '../../ports.ts'
import type { Output } from '../output.ts'

export interface RunOutput extends Output {
  /** Prints what was only counted, when the program ends. */
  endRepeated(): void
}

const everyMs = 60_000
/** Keys come from a few kinds of trouble; a new one each time would fill the memory. */
const maxKeys = 1_000

interface Repeated {
  event: string
  message: string
  details: object
  atMs: number
  more: number
}

/**
 * Events with a `reason` in their details are the same trouble when it is, and their `source`; others, when their text
 * is, except for its numbers.
 */
export function withoutRepetitions(output: Output, clock: Clock): RunOutput {
  const told = new Map<string, Repeated>()
  return {
    ...output,
    event(event, message, details = {}) {
      const key = toKey(event, message, details)
      const last = told.get(key)
      const atMs = clock.elapsed()
      if (last && atMs - last.atMs < everyMs) {
        told.set(key, { event, message, details, atMs: last.atMs, more: last.more + 1 })
        return
      }
      if (told.size >= maxKeys) told.clear()
      told.set(key, { event, message, details, atMs, more: 0 })
      print({ event, message, details, atMs, more: last?.more ?? 0 })
    },
    endRepeated() {
      for (const last of told.values()) if (last.more > 0) print({ ...last, more: last.more - 1 })
      told.clear()
    },
  }

  function print({ event, message, details, more }: Repeated): void {
    if (more === 0) output.event(event, message, details)
    else output.event(event, `${message} (and ${more} more like it since the last such line)`, { ...details, more })
  }
}

function toKey(event: string, message: string, details: object): string {
  if (!('reason' in details)) return `${event} ${message.replace(/\d+(?:\.\d+)?/g, '0')}`
  return `${event} ${details.reason} ${'source' in details ? details.source : ''}`
}
