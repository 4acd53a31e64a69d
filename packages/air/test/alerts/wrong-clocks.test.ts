import { expect, test } from 'vitest'
import { run } from './a-track.ts'

const deviceUrn = 'urn:aa:device:acme:roof1'

function alertsOf(clockOffsetSeconds: number) {
  const sensorsAt = (lastSeenMs: number) => [{ deviceUrn, lastSeenMs, isSilent: false, clockOffsetSeconds }]
  return run({ seconds: 10, tracksAt: () => [], sensorsAt }).raised.map(({ alert }) => alert)
}

test('a clock that is some seconds off is an alert of the sensor', () => {
  expect(alertsOf(-9.8)).toMatchObject([
    {
      kind: 'sensorClock',
      text: 'The clock of the sensor roof1 is about 10 s behind',
      sensorClock: { deviceId: deviceUrn, offsetSeconds: -9.8 },
    },
  ])
  expect(alertsOf(4)[0]?.text).toBe('The clock of the sensor roof1 is about 4 s ahead')
})

test('a clock that is a second off is none', () => {
  expect(alertsOf(1)).toEqual([])
})
