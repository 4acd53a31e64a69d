/**
 * Reads `aircraft.json` of readsb or dump1090 again and again: the file that the receiver writes, or its HTTP address.
 * In: a path or a URL. Out: the positions that are new in each snapshot.
 */
import { readFile } from 'node:fs/promises'
import { checkNumber } from '../../check-option.ts'
import { toReason } from '../../errors.ts'
import { withDeadline } from '../../http/deadline.ts'
import { defineSource, type Sink, type Source } from '../source.ts'
import { type AircraftJsonMapperOptions, createAircraftJsonMapper } from './aircraft-json.ts'

export interface AircraftJsonSourceOptions extends AircraftJsonMapperOptions {
  /** Path of the file, for example `/run/readsb/aircraft.json`, or its `http:` or `https:` address. */
  from: string | URL
  /** Time between two reads, in ms. 100 or more. Default 1_000. */
  pollMs?: number
}

const deadlineMs = 5_000

export function aircraftJsonSource({ from, pollMs = 1_000, ...options }: AircraftJsonSourceOptions): Source {
  checkNumber('pollMs', pollMs, 100)
  const url = URL.parse(String(from))
  const isHttp = url !== null && /^https?:$/.test(url.protocol)

  return defineSource(`aircraft.json ${from}`, async (sink) => {
    const mapper = createAircraftJsonMapper(options)
    let state = ''
    while (!sink.signal.aborted) {
      const dueMs = sink.clock.now() + pollMs
      const next = await readSnapshot(isHttp ? url : from, sink).then(
        async (snapshot) => {
          await sink.report(mapper.map(snapshot, sink.clock.now()))
          return 'reading'
        },
        (error) => `cannot be read: ${toReason(error)}`,
      )
      // A receiver that is down would be told every second.
      if (next !== state && !sink.signal.aborted) sink.state((state = next))
      await sink.clock.sleep(Math.max(0, dueMs - sink.clock.now()), sink.signal)
    }
  })
}

/** The receiver replaces the file, so it is never half written; through HTTP it may be cut off. */
async function readSnapshot(from: string | URL, { clock, fetch, signal }: Sink): Promise<unknown> {
  const isHttp = from instanceof URL && from.protocol !== 'file:'
  const text = isHttp
    ? await withDeadline({ clock, ms: deadlineMs, signal }, async (signal) => {
        const response = await fetch(new Request(from, { signal, redirect: 'manual' }))
        const body = await response.text()
        if (response.status !== 200) throw new Error(`it answered ${response.status}`)
        return body
      })
    : await readFile(from, 'utf8')
  const snapshot: unknown = JSON.parse(text)
  if (typeof snapshot !== 'object' || snapshot === null) throw new Error('it is not a JSON object')
  return snapshot
}
