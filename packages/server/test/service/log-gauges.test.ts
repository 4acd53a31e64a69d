import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createMemoryLog } from '../../src/adapters/memory/log.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { ApiError } from '../../src/errors.ts'
import { addLogGauges } from '../../src/service/log-gauges.ts'

function aRegistry() {
  const clock = createManualClock()
  const registry = new Registry()
  const [report, delivery] = [createMemoryLog({ clock }), createMemoryLog({ clock })]
  addLogGauges({ registry, logs: { report, delivery }, clock })
  return { clock, registry, report, delivery }
}

test('the gauges of each log show waiting entries, the age of the oldest and buried entries', async () => {
  const { clock, registry, report } = aRegistry()
  await report.append(['1', '2', '3'].map((body) => ({ queue: 'roof1', body })))
  const [lease] = await report.lease({ queues: 1, entries: 1, leaseMs: 1_000 })
  if (!lease) throw new Error('Nothing to lease')
  const buried = lease.entries.map(({ seq }) => ({ seq, reason: 'poison' }))
  await report.settle(lease, { accepted: [], buried })
  await clock.advance(90_000)

  const text = await registry.metrics()
  expect(text).toContain('posrep_log_waiting{log="report"} 2\n')
  expect(text).toContain('posrep_log_buried{log="report"} 1\n')
  expect(text).toContain('posrep_log_oldest_seconds{log="report"} 90\n')
  expect(text).toContain('posrep_log_oldest_seconds{log="delivery"} 0\n')
})

test('a log that cannot be read is left out, and the others are shown', async () => {
  const { registry, report } = aRegistry()
  report.depth = () => Promise.reject(new ApiError('unavailable', 'away'))
  const text = await registry.metrics()
  expect(text).not.toContain('log="report"')
  expect(text).toContain('posrep_log_waiting{log="delivery"} 0\n')
})
