import { expect, test } from 'vitest'
import { anAdministration } from './an-administration.ts'

const device = (name: string) => `urn:aa:device:fleet:${name}`

/** An administration, and a report log in which the entries of these devices were buried. */
async function withBuried(...names: string[]) {
  const administration = await anAdministration()
  const { reportLog } = administration
  async function bury(reason = 'Stage "geofence" threw: no such area') {
    for (const lease of await reportLog.lease({ lines: 10, entries: 2_000, leaseMs: 1_000 })) {
      const buried = lease.entries.map(({ seq }) => ({ seq, reason }))
      await reportLog.settle(lease, { accepted: [], buried })
    }
  }
  await reportLog.append(names.map((name, index) => ({ line: device(name), body: `{"n":${index}}` })))
  await bury()
  const ids = async () => (await administration.reports.list({ limit: 10_000 })).entries.map(({ id }) => id)
  return { ...administration, bury, ids }
}

test('what was buried is listed with its device, its times and the reason', async () => {
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

test('a list is of one device or of all, and says when it is cut', async () => {
  const { reports } = await withBuried('roof1', 'roof2', 'roof1')
  const bodies = async (options: { device?: string; limit: number }) => {
    const { entries, isCut } = await reports.list(options)
    return [entries.map(({ body }) => body), isCut]
  }
  expect(await bodies({ device: device('roof1'), limit: 10 })).toEqual([['{"n":0}', '{"n":2}'], false])
  expect(await bodies({ limit: 2 })).toEqual([['{"n":0}', '{"n":1}'], true])
})

test('what is taken up again waits in the log, and the rest stays buried', async () => {
  const { reports, reportLog, ids } = await withBuried('roof1', 'roof1', 'roof2')
  const [first = 0, , third = 0] = await ids()
  expect(await reports.retry([third, first])).toBe(2)
  expect(await reportLog.depth()).toMatchObject({ waiting: 2, buried: 1 })
})

test('an id that is not buried is named, and nothing is taken up', async () => {
  const { reports, reportLog, ids } = await withBuried('roof1')
  const [first = 0] = await ids()
  await expect(reports.retry([first, 999])).rejects.toMatchObject({ code: 'not_found', message: /the id 999/ })
  expect(await reportLog.depth()).toMatchObject({ waiting: 0, buried: 1 })
})

test('all of one device, or all there are, are taken up', async () => {
  const { reports, reportLog } = await withBuried('roof1', 'roof2', ...Array<string>(1_200).fill('roof3'))
  expect(await reports.retryAll(device('roof1'))).toBe(1)
  expect(await reports.retryAll()).toBe(1_201)
  expect(await reportLog.depth()).toMatchObject({ waiting: 1_202, buried: 0 })
})

test('what is buried again while all are taken up does not come round for ever', async () => {
  const { reports, reportLog, bury, clock } = await withBuried(...Array<string>(600).fill('roof1'))
  // The server takes them while the command is at its first page.
  const unbury = reportLog.unbury
  reportLog.unbury = async (seqs) => {
    const taken = await unbury(seqs)
    await clock.advance(1)
    await bury()
    return taken
  }
  expect(await reports.retryAll()).toBe(600)
})
