import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Correlator, createCorrelator } from '../../src/correlation/correlator.ts'
import type { Reception } from '../../src/track/track.ts'
import { aReception, startMs } from './a-reception.ts'

/** A few targets near each other, some with addresses, by a few sensors: many merges, splits and ambiguities. */
const step = fc.record({
  sensor: fc.constantFrom('a', 'b', 'c'),
  target: fc.integer({ min: 0, max: 4 }),
  isIdentified: fc.boolean(),
  hasSourceId: fc.boolean(),
  isWild: fc.integer({ min: 0, max: 19 }).map((number) => number === 0),
  aside: fc.integer({ min: -30, max: 30 }),
  waitMs: fc.constantFrom(0, 100, 400, 1_000, 3_000, 15_000),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

test('a restored tracker goes on exactly as the one whose snapshot it has', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150 }), fc.nat(150), (steps, at) => {
      const events = toEvents(steps)
      const whole = createCorrelator({ maxTracks: 12 })
      run(whole, events)

      const first = createCorrelator({ maxTracks: 12 })
      run(first, events.slice(0, at))
      const snapshot = JSON.parse(JSON.stringify(first.snapshot()))
      const second = createCorrelator({ maxTracks: 12, snapshot })
      run(second, events.slice(at))

      expect(JSON.stringify(second.snapshot())).toBe(JSON.stringify(whole.snapshot()))
      expect(JSON.stringify([...second.tracks()])).toBe(JSON.stringify([...whole.tracks()]))
    }),
    { numRuns: 300 },
  )
})

test('a tracker that continues from a snapshot changes neither it nor the first tracker', () => {
  const tracker = createCorrelator()
  tracker.observe(aReception({ icao: '461F67' }))
  const snapshot = tracker.snapshot()
  const before = JSON.stringify(snapshot)

  createCorrelator({ snapshot }).observe(aReception({ icao: '461F67', seconds: 1 }))

  expect(JSON.stringify(snapshot)).toBe(before)
  expect(JSON.stringify(tracker.snapshot())).toBe(before)
})

test('a restored tracker has no changes', () => {
  const tracker = createCorrelator()
  tracker.observe(aReception({ icao: '461F67' }))

  const restored = createCorrelator({ snapshot: tracker.snapshot() })

  expect(restored.takeChanges()).toEqual({ changed: [], ended: [], associations: [] })
  expect(restored.find('t1')).toEqual(tracker.find('t1'))
  expect(restored.history('t1')).toEqual(tracker.history('t1'))
})

test('a snapshot of another version is refused', () => {
  const snapshot = { ...createCorrelator().snapshot(), version: 2 as 6 }

  expect(() => createCorrelator({ snapshot })).toThrow('Snapshot of the tracker has version 2, expected 6')
})

type Event = { reception: Reception } | { tickMs: number }

function toEvents(steps: readonly Step[]): Event[] {
  let seconds = 0
  return steps.flatMap(({ sensor, target, isIdentified, hasSourceId, isWild, aside, waitMs }): Event[] => {
    seconds += waitMs / 1_000
    const reception = aReception({
      sensor,
      seconds,
      latDegrees: 60 + target * 0.001 + aside / 111_195 + (isWild ? 1 : 0),
      lonDegrees: 25 + seconds * 0.002,
      velocity: [111, 0],
      heightMetres: 1_000 + target * 50,
      ...(isIdentified && target > 1 && { icao: `00000${target}` }),
      ...(hasSourceId && { sourceId: `${sensor}${target}` }),
    })
    return [{ reception }, { tickMs: Math.floor((startMs + seconds * 1_000) / 1_000) * 1_000 }]
  })
}

function run(tracker: Correlator, events: readonly Event[]): void {
  for (const event of events) {
    if ('reception' in event) tracker.observe(event.reception)
    else tracker.advance(event.tickMs)
  }
}
