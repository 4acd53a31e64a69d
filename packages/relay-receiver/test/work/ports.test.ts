import { expect, test } from 'vitest'
import { currentTimeMs, hangsAfterMs } from '../../../../testing/real-time.ts'
import { systemClock } from '../../src/ports.ts'

test('the system clock returns the time', () => {
  expect(Math.abs(systemClock.now() - currentTimeMs())).toBeLessThan(hangsAfterMs)
})

test('a sleep ends when its time is over, and at once when its signal aborts', async () => {
  await systemClock.sleep(1)
  const stop = new AbortController()
  const sleeping = systemClock.sleep(3_600_000, stop.signal)
  stop.abort()
  await sleeping
})
