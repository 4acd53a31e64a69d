import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCorrelator } from '../../../src/correlation/correlator.ts'
import { areContradictory } from '../../../src/correlation/targets/identifiers.ts'
import type { IdentifierKind, StandardIdentifier } from '../../../src/standard/standard-position.ts'
import { aReception, at, type Flight, tick } from '../a-reception.ts'

const anIdentifier = fc.record({
  kind: fc.constantFrom<IdentifierKind>('ICAO', 'CallSign', 'Registration', 'SerialNumber', 'IMEI', 'other'),
  id: fc.constantFrom('1', '2', '3'),
})
const someIdentifiers = fc.array(anIdentifier, { maxLength: 6 })
const shuffled = (all: StandardIdentifier[]) => fc.shuffledSubarray(all, { minLength: all.length })
const inTwoOrders = someIdentifiers.chain((all) => fc.tuple(fc.constant(all), shuffled(all)))

const address = (id: string): StandardIdentifier => ({ kind: 'ICAO', id })
const registration = (id: string): StandardIdentifier => ({ kind: 'Registration', id })
const serial = (id: string): StandardIdentifier => ({ kind: 'SerialNumber', id })

test('whether identifiers contradict each other depends neither on their order nor on the direction', () => {
  fc.assert(
    fc.property(inTwoOrders, inTwoOrders, ([a, aShuffled], [b, bShuffled]) => {
      const expected = areContradictory(a, b)
      expect(areContradictory(b, a)).toBe(expected)
      expect(areContradictory(aShuffled, bShuffled)).toBe(expected)
    }),
  )
})

test('identifiers never contradict themselves', () => {
  fc.assert(
    fc.property(inTwoOrders, ([a, aShuffled]) => {
      expect(areContradictory(a, aShuffled)).toBe(false)
    }),
  )
})

test.each([
  ['one address and two registrations', [registration('A'), address('1')], [registration('B'), address('1')], false],
  ['two addresses and one registration', [registration('A'), address('1')], [registration('A'), address('2')], true],
  [
    'one registration and two serial numbers',
    [serial('1'), registration('A')],
    [serial('2'), registration('A')],
    false,
  ],
  ['two registrations', [registration('A')], [registration('B')], true],
  ['an address on one side', [address('1')], [registration('B')], false],
])('%s: contradictory is what the strongest common kind says', (_, a, b, expected) => {
  expect(areContradictory(a, b)).toBe(expected)
})

test.each([
  ['first', (id: string) => [registration(id), address('461F9C')]],
  ['last', (id: string) => [address('461F9C'), registration(id)]],
])('one address with two registrations, which are %s, is one track', (_, toIdentifiers) => {
  const tracker = createCorrelator()
  const flight: Flight = { latDegrees: 60, lonDegrees: 25, velocity: [150, 100] }

  for (let seconds = 0; seconds < 20; seconds++) {
    tracker.observe(aReception({ sensor: 'a', identifiers: toIdentifiers('A'), ...at(flight, seconds) }))
    tracker.observe(aReception({ sensor: 'b', identifiers: toIdentifiers('B'), ...at(flight, seconds) }))
    tick(tracker, seconds)
  }

  expect([...tracker.tracks()]).toHaveLength(1)
})
