/**
 * Reads `aircraft.json` of readsb or dump1090 again and again: the file that the receiver writes, or its HTTP address.
 * In: a path or a URL. Out: the positions that are new in each snapshot.
 */
import { readFile } from 'node:fs/promises'
import { checkNumber } from '../../check-option.ts'
import { toReason } from '../../errors.ts'
import { withDeadline } from '../../http/deadline.ts'
import type { Clock } from '../../ports.ts'
import { findFields } from '../fields.ts'
import { defineSource, type Sink, type Source } from '../source.ts'
import { type AircraftJsonMapperOptions, createAircraftJsonMapper } from './aircraft-json.ts'

export interface AircraftJsonSourceOptions extends AircraftJsonMapperOptions {
  /** Path of the file, for example `/run/readsb/aircraft.json`, or its `http:` or `https:` address. */
  from: string | URL
  /** Time between two reads, in ms. 100 or more. Default 1_000. */
  pollMs?: number
}

const deadlineMs = 5_000
/** Receivers write every second or two. */
const standsStillMs = 15_000

export function aircraftJsonSource({ from, pollMs = 1_000, ...options }: AircraftJsonSourceOptions): Source {
  checkNumber('pollMs', pollMs, 100)
  const url = URL.parse(String(from))
  const isHttp = url !== null && /^https?:$/.test(url.protocol)

  return defineSource(`aircraft.json ${from}`, async (sink) => {
    const report = createReporter(sink, options)
    let state = ''
    while (!sink.signal.aborted) {
      const dueMs = sink.clock.now() + pollMs
      const next = await readSnapshot(isHttp ? url : from, sink).then(
        report,
        (error) => `cannot be read: ${toReason(error)}`,
      )
      // A receiver that is down would be told every second.
      if (next !== state && !sink.signal.aborted) sink.state((state = next))
      await sink.clock.sleep(Math.max(0, dueMs - sink.clock.now()), sink.signal)
    }
  })
}

/** Reports what is new in each snapshot. Resolves with the state of the receiver. */
function createReporter(sink: Sink, options: AircraftJsonMapperOptions): (snapshot: Snapshot) => Promise<string> {
  const mapper = createAircraftJsonMapper(options)
  const isStandingStill = createStandstill(sink.clock)
  let wasWrong = false
  let last = { text: '', atMs: 0 }
  return async ({ text, value }) => {
    // Without `now`, the same text again is the same snapshot, not a newer one.
    if (text !== last.text) last = { text, atMs: sink.clock.now() }
    const before = mapper.counters()
    await sink.report(mapper.map(value, sink.toStampMs(last.atMs)))
    const { snapshots, unparsable } = mapper.counters()
    if (snapshots === before.snapshots) return 'cannot be read: it is not aircraft.json, for it has no list of aircraft'
    const wrong = unparsable - before.unparsable
    // The next snapshots usually have the same ones.
    if (wrong > 0 && !wasWrong) sink.unusable(`${wrong} of the aircraft have no address`)
    wasWrong = wrong > 0
    return isStandingStill(findFields(value)?.now)
      ? 'stands still: "now" does not change; restart the receiver'
      : 'reading'
  }
}

/** Whether the receiver's time is the same for too long. A snapshot without a time shows nothing. */
function createStandstill(clock: Clock): (now: unknown) => boolean {
  let last: unknown
  let sinceMs = clock.now()
  return (now) => {
    if (now === undefined || now !== last) sinceMs = clock.now()
    last = now
    return clock.now() - sinceMs >= standsStillMs
  }
}

interface Snapshot {
  text: string
  value: unknown
}

/** The receiver replaces the file, so it is never half written; through HTTP it may be cut off. */
async function readSnapshot(from: string | URL, { clock, fetch, signal }: Sink): Promise<Snapshot> {
  const isHttp = from instanceof URL && from.protocol !== 'file:'
  const text = isHttp
    ? await withDeadline({ clock, ms: deadlineMs, signal }, async (signal) => {
        const response = await fetch(new Request(from, { signal, redirect: 'manual' }))
        const body = await response.text()
        if (response.status !== 200) throw new Error(`it answered ${response.status}`)
        return body
      })
    : await readFile(from, 'utf8')
  return { text, value: JSON.parse(text) }
}
