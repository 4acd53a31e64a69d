/**
 * Reads `aircraft.json` of readsb or dump1090 again and again: the file that the receiver writes, or its HTTP address.
 * In: a path or a URL. Out: the positions that are new in each snapshot.
 */
import { readFile, stat } from 'node:fs/promises'
import { checkNumber, checkText } from '../../check-option.ts'
import { toReason } from '../../errors.ts'
import type { Clock } from '../../ports.ts'
import { findFields } from '../fields.ts'
import { defineSource, type Sink, type Source } from '../source.ts'
import { type AircraftJsonMapperOptions, createAircraftJsonMapper } from './aircraft-json.ts'
import { type AircraftJsonAddress, findAddress, parseSnapshot, readAddress, TryLater } from './aircraft-json-address.ts'

export interface AircraftJsonSourceOptions extends AircraftJsonMapperOptions {
  /** Path of the file, for example `/run/readsb/aircraft.json`, or its `http:` or `https:` address. */
  from: string | URL
  /**
   * User and password for the address, `user:password`, if it asks for them (HTTP basic authentication). They are in no
   * output.
   */
  login?: string
  /** Time between two reads, in ms. 100 or more. Default 1_000. */
  pollMs?: number
}

/** Receivers write every second or two. */
const standsStillMs = 15_000

/**
 * @example
 * ```ts
 * import type { Agent } from '@posrep/sensor-agent'
 * import { aircraftJsonSource, runSource } from '@posrep/sensor-agent/sources'
 *
 * export const run = (agent: Agent) =>
 *   runSource(aircraftJsonSource({ from: 'http://localhost/tar1090/data/aircraft.json' }), agent)
 * ```
 */
export function aircraftJsonSource({ from, login, pollMs = 1_000, ...options }: AircraftJsonSourceOptions): Source {
  checkNumber('pollMs', pollMs, 100)
  if (login !== undefined) checkText('login', login)
  const address = findAddress(from, login)

  return defineSource(`aircraft.json ${address ? address.shown : from}`, async (sink) => {
    const report = createReporter(sink, options)
    let state = ''
    while (!sink.signal.aborted) {
      const dueMs = sink.clock.elapsed() + pollMs
      let laterMs = 0
      const next = await readText(address ?? from, sink).then(report, (error) => {
        if (error instanceof TryLater) laterMs = error.afterMs
        return `cannot be read: ${toReason(error)}`
      })
      // A receiver that is down would be told every second.
      if (next !== state && !sink.signal.aborted) sink.state((state = next))
      await sink.clock.sleep(Math.max(laterMs, dueMs - sink.clock.elapsed()), sink.signal)
    }
  })
}

/** Reports what is new in each snapshot. Resolves with the state of the receiver. */
function createReporter(sink: Sink, options: AircraftJsonMapperOptions): (text: string) => Promise<string> {
  const mapper = createAircraftJsonMapper({
    ...options,
    onUnusable: (reason, message) => sink.unusable(message, reason),
    onPartial: sink.partial,
  })
  const isStandingStill = createStandstill(sink.clock)
  let last: { text: string | undefined; now?: unknown; fault?: string } = { text: undefined }
  return async (text) => {
    // The same text again is the same snapshot: nothing of it is new, and what is unusable is counted once.
    if (text !== last.text) last = { text, ...(await reportSnapshot(parseSnapshot(text))) }
    if (last.fault !== undefined) return `cannot be read: ${last.fault}`
    return isStandingStill(last.now) ? 'stands still: "now" does not change; restart the receiver' : 'reading'
  }

  async function reportSnapshot(value: unknown): Promise<{ now?: unknown; fault?: string }> {
    if (value instanceof Error) {
      sink.unusable(value.message, 'unreadable')
      return { fault: value.message }
    }
    const { snapshots } = mapper.counters()
    await sink.report(mapper.map(value, sink.toStampMs(sink.clock.now())))
    if (mapper.counters().snapshots > snapshots) return { now: findFields(value)?.now }
    return { fault: 'it is not aircraft.json, for it has no list of aircraft' }
  }
}

/** Whether the receiver's time is the same for too long. A snapshot without a time shows nothing. */
function createStandstill(clock: Clock): (now: unknown) => boolean {
  let last: unknown
  let sinceMs = clock.elapsed()
  return (now) => {
    if (now === undefined || now !== last) sinceMs = clock.elapsed()
    last = now
    return clock.elapsed() - sinceMs >= standsStillMs
  }
}

/** The receiver replaces the file, so it is never half written; through HTTP it may be cut off. */
async function readText(from: AircraftJsonAddress | string | URL, sink: Sink): Promise<string> {
  if (typeof from !== 'string' && !(from instanceof URL)) return readAddress(from, sink)
  // A pipe without a writer would hold the read, and the end of the process, for ever.
  if ((await stat(from)).isFIFO()) throw new Error('it is a pipe; give the file that the receiver writes')
  return readFile(from, 'utf8')
}
