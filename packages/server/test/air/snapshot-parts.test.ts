import { gzipSync } from 'node:zlib'
import { createTracker } from '@posrep/air'
import { expect, test } from 'vitest'
import { fromParts, toParts } from '../../src/air/thread/snapshot-parts.ts'
import { anAircraft, roof1 } from './an-air.ts'

const startMs = Date.UTC(2026, 0, 7, 12)

/** Pairs of aircraft that stay near each other, so that there are alerts, too. */
function aPicture(pairs: number) {
  const picture = createTracker()
  for (let n = 0; n < 10; n++) {
    const atMs = startMs + n * 1_000
    const positions = Array.from({ length: 2 * pairs }, (_, number) => {
      const { position } = anAircraft('', atMs)
      const lat = -60 + Math.floor(number / 2) * 0.05 + (number % 2) * 0.001
      return anAircraft(number.toString(16).padStart(6, '0').toUpperCase(), atMs, { position: { ...position, lat } })
    })
    picture.add({ sensor: { id: roof1 }, positions }, atMs)
  }
  return picture
}

test('a snapshot in parts is read as it was written', () => {
  const snapshot = aPicture(20).snapshot()
  expect(snapshot.alerts.book.active.length).toBeGreaterThan(0)

  expect(fromParts(toParts(snapshot))).toEqual(JSON.parse(JSON.stringify(snapshot)))
})

test('a large snapshot has several parts, of about a megabyte each before it is compressed', () => {
  const snapshot = aPicture(1_000).snapshot()
  const characters = JSON.stringify(snapshot).length

  expect(toParts(snapshot).length).toBeGreaterThanOrEqual(Math.floor(characters / 2 ** 20))
  expect(characters).toBeGreaterThan(2 * 2 ** 20)
})

test('without parts there is no snapshot, nor with those of another version', () => {
  expect(fromParts([])).toBeUndefined()
  expect(fromParts([gzipSync(JSON.stringify({ version: 1, timeMs: 0 })).toString('base64')])).toBeUndefined()
})

test('writing a snapshot does not change it', () => {
  const snapshot = aPicture(2).snapshot()
  const before = JSON.stringify(snapshot)

  toParts(snapshot)

  expect(JSON.stringify(snapshot)).toBe(before)
})
