/** Recent reports that are too large for one answer or for one read, on SQLite. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RecentPositionReportList } from '@posrep/spec'
import type { Response } from 'undici'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { currentTimeMs } from '../../../../testing/real-time.ts'
import { memoryStorage } from '../../src/composition/storage/storage.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { aLargeReport } from '../a-report.ts'
import { aServer, rival, rivalRoof1, roof1, roof2, type ServerUnderTest } from '../a-server.ts'

const mebibyte = 1024 * 1024
/** Of the largest size. */
const large = aLargeReport(mebibyte)
const path = `/v1/devices/${roof1}/recent`

let folder: string
let server: ServerUnderTest
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posrep-recent-'))
  // With the compat profile, the test server does not collect answers to check them: they are sent in portions, as in
  // earnest.
  const flags = { memory: false, 'data-dir': folder, 'recent-mib': '12', 'ingest-profile': 'compat' }
  server = await aServer({ flags })
  for (let n = 0; n < 20; n++) {
    expect((await server.post('/v1/position-reports', await server.deviceToken(), large)).status).toBe(202)
  }
  await server.processed()
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

async function read(query = ''): Promise<RecentPositionReportList & { mebibytes: number }> {
  const response = await server.get(`${path}${query}`, await server.userToken())
  expect(response.status).toBe(200)
  const text = await response.text()
  return { ...(JSON.parse(text) as RecentPositionReportList), mebibytes: Math.floor(text.length / mebibyte) }
}

test('the window ends at --recent-mib, and the answer says so', async () => {
  const { data, truncated, next, mebibytes } = await read()
  expect([data.length, truncated, next, mebibytes]).toEqual([12, true, undefined, 12])
})

test('an answer with limit ends after 8 MiB, and next leads to the rest of the window', async () => {
  const first = await read('?limit=200')
  expect([first.data.length, first.truncated, first.mebibytes]).toEqual([8, true, 8])
  const { data, truncated, next, mebibytes } = await read(`?limit=200&after=${first.next}`)
  expect([data.length, truncated, next, mebibytes]).toEqual([4, true, undefined, 4])
})

test('clients that read slowly keep nobody waiting', async () => {
  const token = await server.userToken()
  const slow = await Promise.all(Array.from({ length: 4 }, () => server.get(path, token)))

  // Nothing of their bodies was read: the connections take no more than their buffers.
  for (const as of [token, await server.userToken(rival)]) {
    expect((await server.get('/v1/devices?limit=1', as)).status).toBe(200)
  }
  expect((await read()).data).toHaveLength(12)
  await Promise.all(slow.map(({ body }) => body?.cancel()))
})

test('clients that leave without having read everything end their reads, and those that wait get their turn', async () => {
  const token = await server.userToken()
  const arrived: Response[] = []
  const reads = Array.from({ length: 40 }, async () => arrived.push(await server.get(path, token)))
  const leaving = setInterval(() => void arrived.map(({ body }) => body?.cancel()), 5)
  await Promise.all(reads)
  clearInterval(leaving)
  expect(arrived.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
  await Promise.all(arrived.map(({ body }) => body?.cancel()))
  const status = async () => (await server.get(`/v1/devices/${roof2}/recent`, token)).status
  await expect.poll(status).toBe(200)
})

test('more reads at once than are allowed are refused with 503 and Retry-After, those of another account are not', async () => {
  const memory = memoryStorage({ clock: createManualClock(currentTimeMs()) })
  const held = Promise.withResolvers<void>()
  const list: typeof memory.recentReports.list = async (deviceUrn, ...rest) => {
    if (deviceUrn === roof1) await held.promise
    return memory.recentReports.list(deviceUrn, ...rest)
  }
  const busy = await aServer({ storage: { ...memory, recentReports: { ...memory.recentReports, list } } })
  onTestFinished(() => busy.stop())
  const token = await busy.userToken()
  const arrived: Response[] = []
  const reads = Array.from({ length: 40 }, async () => arrived.push(await busy.get(path, token)))

  // Two run and twelve wait.
  await expect.poll(() => arrived.length).toBe(26)
  expect(new Set(arrived.map(({ status, headers }) => `${status} ${headers.get('retry-after')}`))).toEqual(
    new Set(['503 2']),
  )
  expect((await busy.get(`/v1/devices/${rivalRoof1}/recent`, await busy.userToken(rival))).status).toBe(200)

  held.resolve()
  await Promise.all(reads)
  expect(new Set(arrived.slice(26).map(({ status }) => status))).toEqual(new Set([200]))
})
