/** Recorded traffic through the tracker: what people would see. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { createSbsMapper } from '@posrep/sensor-agent/sources'
import type { AirAlert } from '@posrep/spec'
import { expect, test } from 'vitest'
import { createAlerts } from '../../../src/alerts/alerts.ts'
import { createCorrelator } from '../../../src/correlation/correlator.ts'
import { toEpochMs } from '../../../src/standard/epoch-ms.ts'
import { standardise } from '../../../src/standard/standardise.ts'
import type { Reception } from '../../../src/track/track.ts'
import { toReceptions } from './monterey.ts'

function watch(receptions: Reception[]): AirAlert[] {
  const tracker = createCorrelator({ maxTracks: 1_000 })
  const alerts = createAlerts()
  const ended: AirAlert[] = []
  let nowMs = Math.ceil((receptions[0]?.receivedAtMs ?? 0) / 1_000) * 1_000
  for (const reception of receptions) {
    for (; nowMs <= reception.receivedAtMs; nowMs += 1_000) {
      tracker.advance(nowMs)
      alerts.update(nowMs, { tracks: tracker.tracks(), sensors: [] })
      ended.push(...alerts.takeChanges().filter(({ state }) => state === 'ended'))
    }
    tracker.observe(reception)
    tracker.takeChanges()
  }
  return [...ended, ...alerts.list().filter(({ state }) => state === 'active')]
}

test('of four aircraft near Monterey the two near encounters are alerted, and nothing else', () => {
  const alerts = watch(toReceptions())
  expect(alerts.map(({ conflict }) => conflict?.horizontalMetres)).toEqual([
    // By interpolation 278 m and 38 m.
    expect.toSatisfy((metres: number) => Math.abs(metres - 278) < 30),
    expect.toSatisfy((metres: number) => Math.abs(metres - 38) < 30),
  ])
})

test('of 42 aircraft near an airport in ten minutes, none of which came near another one, none is alerted', () => {
  const recording = new URL('../../../../server/recordings/efhk_2026-01-07.sbs.gz', import.meta.url)
  const mapper = createSbsMapper({ timeZone: 'UTC' })
  const given = gunzipSync(readFileSync(recording))
    .toString()
    .split('\n')
    .flatMap((line) => mapper.map(line) ?? [])
  const timesMs = given.map(({ sourceTimeStamp }) => toEpochMs(sourceTimeStamp))
  const receptions = standardise(given, timesMs).map((position) => ({
    deviceUrn: 'urn:aa:device:acme:roof1',
    receivedAtMs: position.timeMs + 300,
    position,
  }))
  expect(receptions.length).toBeGreaterThan(10_000)
  expect(watch(receptions)).toEqual([])
})
