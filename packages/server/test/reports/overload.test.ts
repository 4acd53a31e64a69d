import { expect, onTestFinished, test, vi } from 'vitest'
import { aReport } from '../a-report.ts'
import { aServer } from '../a-server.ts'

test('while the pipeline is behind, reports are 503 with Retry-After, and once it has caught up they are taken again', async () => {
  const held = Promise.withResolvers<void>()
  const slow = { name: 'slow', run: () => held.promise }
  const server = await aServer({ flags: { 'ingest-backlog': '20' }, stages: [slow] })
  onTestFinished(() => server.stop())
  const token = await server.deviceToken()
  const submit = async () => {
    await server.clock.advance(250)
    const { status, headers } = await server.post('/v1/position-reports', token, aReport())
    return [status, headers.get('retry-after')]
  }

  const first: unknown[] = []
  // None is taken beyond the backlog, but for one that comes while the log is asked.
  for (let report = 0; report < 40; report++) first.push(await submit())
  held.resolve()
  await server.processed()

  expect(first.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => [202, null]))
  expect(first.slice(22)).toEqual(Array.from({ length: 18 }, () => [503, '5']))
  await vi.waitFor(async () => expect(await submit()).toEqual([202, null]))
})
