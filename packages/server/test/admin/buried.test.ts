import { expect, test } from 'vitest'
import { anAdministration } from './an-administration.ts'

const device = (name: string) => `urn:aa:device:fleet:${name}`

/** An administration whose report log has a buried entry for each of these devices. */
async function withBuried(...names: string[]) {
  const administration = await anAdministration()
  const { reportLog } = administration
  async function bury(reason = 'Stage "geofence" threw: no such area') {
    for (const lease of await reportLog.lease({ queues: 10, entries: 2_000, leaseMs: 1_000 })) {
      const buried = lease.entries.map(({ seq }) => ({ seq, reason }))
      await reportLog.settle(lease, { accepted: [], buried })
    }
  }
  await reportLog.append(names.map((name, index) => ({ queue: device(name), body: `{"n":${index}}` })))
  await bury()
  const ids = async () => (await administration.reports.list({ limit: 10_000 })).entries.map(({ id }) => id)
  return { ...administration, bury, ids }
}

test('buried entries are listed with device, times and reason', async () => {
  const { reports } = await withBuried('roof1')
  expect(await reports.list({ limit: 10 })).toEqual({
    entries: [
      {
        id: expect.any(Number),
        device: device('roof1'),
        since: '2026-01-07T06:22:45Z',
        buriedAt: '2026-01-07T06:22:45Z',
        reason: 'Stage "geofence" threw: no such area',
        body: '{"n":0}',
      },
    ],
    isCut: false,
  })
})

test('entries of one device or of all are listed, and a list that is cut says so', async () => {
  const { reports } = await withBuried('roof1', 'roof2', 'roof1')
  const bodies = async (options: { device?: string; limit: number }) => {
    const { entries, isCut } = await reports.list(options)
    return [entries.map(({ body }) => body), isCut]
  }
  expect(await bodies({ device: device('roof1'), limit: 10 })).toEqual([['{"n":0}', '{"n":2}'], false])
  expect(await bodies({ limit: 2 })).toEqual([['{"n":0}', '{"n":1}'], true])
})

test('retried entries wait in the log again, and the others stay buried', async () => {
  const { reports, reportLog, ids } = await withBuried('roof1', 'roof1', 'roof2')
  const [first = 0, , third = 0] = await ids()
  expect(await reports.retry([third, first])).toBe(2)
  expect(await reportLog.depth()).toMatchObject({ waiting: 2, buried: 1 })
})

test('the error for an id that is not buried names it, and nothing is retried', async () => {
  const { reports, reportLog, ids } = await withBuried('roof1')
  const [first = 0] = await ids()
  await expect(reports.retry([first, 999])).rejects.toMatchObject({ code: 'not_found', message: /the id 999/ })
  expect(await reportLog.depth()).toMatchObject({ waiting: 0, buried: 1 })
})

test('all entries of one device, or all entries, are retried', async () => {
  const { reports, reportLog } = await withBuried('roof1', 'roof2', ...Array<string>(1_200).fill('roof3'))
  expect(await reports.retryAll(device('roof1'))).toBe(1)
  expect(await reports.retryAll()).toBe(1_201)
  expect(await reportLog.depth()).toMatchObject({ waiting: 1_202, buried: 0 })
})

test('an entry that is buried again while all are retried is not retried twice', async () => {
  const { reports, reportLog, bury, clock } = await withBuried(...Array<string>(600).fill('roof1'))
  // The server leases and buries them again while the command retries its first page.
  const unbury = reportLog.unbury
  reportLog.unbury = async (seqs) => {
    const taken = await unbury(seqs)
    await clock.advance(1)
    await bury()
    return taken
  }
  expect(await reports.retryAll()).toBe(600)
})
