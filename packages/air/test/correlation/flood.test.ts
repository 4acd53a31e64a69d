/** What a hostile sensor can make an account's picture take. The bounds are those of docs/air-picture.md. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { type Correlator, createCorrelator } from '../../src/correlation/correlator.ts'
import { aReception, tick } from './a-reception.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const mebibyte = 1_024 * 1_024
const textsOf = {
  'plain texts': 'x',
  'control characters': '\u0001x',
  quotes: '"',
  'characters of three bytes': '中',
}

/** Each target has new ids, as long as possible, in each of its positions. */
function flood(tracker: Correlator, targets: number, rounds: number, filling: string): void {
  const text = (...parts: (string | number)[]) => parts.join('-').padEnd(64, filling)
  for (let round = 0; round < rounds; round++) {
    for (let number = 0; number < targets; number++) {
      tracker.observe(
        aReception({
          sensor: `roof${number % 3}`,
          seconds: round,
          latDegrees: -60 + Math.floor(number / 300) * 0.1,
          lonDegrees: (number % 300) * 0.1,
          velocity: [0, 0],
          icao: number.toString(16).toUpperCase().padStart(6, '0'),
          sourceId: text(number, round),
          identifiers: [{ kind: 'other', id: text('i', number, round), type: text('t') }],
        }),
      )
    }
    tick(tracker, round)
    tracker.takeChanges()
  }
}

function bytesOfSnapshot(tracker: Correlator): number {
  const { targets, sensors, ...rest } = tracker.snapshot()
  // In pieces: the whole could be too long for one text.
  return [...targets, ...sensors, rest].reduce((sum, one) => sum + Buffer.byteLength(JSON.stringify(one)), 0)
}

describe.each(Object.entries(textsOf))('a flood of ids of %s', (_, filling) => {
  test('makes a track of at most 48 KiB', () => {
    const tracker = createCorrelator({ maxTracks: 100 })

    flood(tracker, 100, 60, filling)

    expect([...tracker.tracks()]).toHaveLength(100)
    expect(bytesOfSnapshot(tracker) / 100).toBeLessThan(48 * 1_024)
  })
})

test('a flood of ids in 10,000 tracks takes at most 96 MiB in snapshots and 192 MiB in memory', () => {
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const tracker = createCorrelator()

  flood(tracker, 10_000, 12, 'x')

  expect([...tracker.tracks()]).toHaveLength(10_000)
  collectGarbage()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(192 * mebibyte)
  expect(bytesOfSnapshot(tracker)).toBeLessThan(96 * mebibyte)
})
