import { expect, onTestFinished, test, vi } from 'vitest'
import { openStorage } from '../../src/composition/storage/storage.ts'
import type { Storage } from '../../src/composition/storage/storage-ports.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { resolveSettings } from '../../src/settings/resolve-settings.ts'
import { aReport } from '../a-report.ts'
import { aServer } from '../a-server.ts'

/** The limit is 100,000 reports; 99,980 of others wait. */
async function aStorageWithOthers(): Promise<Storage> {
  const settings = resolveSettings({ flags: { memory: true }, environment: {} })
  const storage = await openStorage({ settings, clock: createManualClock(), role: 'server' })
  const { reportLog } = storage
  const depth = async () => {
    const own = await reportLog.depth()
    return { ...own, waiting: own.waiting + 99_980 }
  }
  return { ...storage, reportLog: { ...reportLog, depth } }
}

test('reports get 503 with Retry-After while the backlog is too long, and are accepted again afterwards', async () => {
  const held = Promise.withResolvers<void>()
  const slow = { name: 'slow', run: () => held.promise }
  const storage = await aStorageWithOthers()
  const server = await aServer({ storage, stages: [slow] })
  onTestFinished(() => server.stop())
  const token = await server.deviceToken()
  const submit = async () => {
    await server.clock.advance(250)
    const { status, headers } = await server.post('/v1/position-reports', token, aReport())
    return [status, headers.get('retry-after')]
  }

  const first: unknown[] = []
  // One report beyond the backlog may be accepted while the depth of the log is read.
  for (let report = 0; report < 40; report++) first.push(await submit())
  held.resolve()
  await server.processed()

  expect(first.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => [202, null]))
  expect(first.slice(22)).toEqual(Array.from({ length: 18 }, () => [503, '5']))
  await vi.waitFor(async () => expect(await submit()).toEqual([202, null]))
})
