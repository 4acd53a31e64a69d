/** What only `composition` joins: parts that are tested alone, and would do nothing if they were not connected. */
import { expect, onTestFinished, test } from 'vitest'
import { currentTimeMs } from '../../../../testing/real-time.ts'
import { startServer } from '../../src/composition/server.ts'
import { memoryStorage } from '../../src/composition/storage/storage.ts'
import type { Storage } from '../../src/composition/storage/storage-ports.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { toOperationRequest } from '../../src/http/operation/operation-request.ts'
import type { Principal } from '../../src/ports/principal.ts'
import type { ReportLog } from '../../src/ports/storage/log.ts'
import { resolveSettings } from '../../src/settings/resolve-settings.ts'
import { aReport } from '../a-report.ts'
import { roof1, seed, silentLogger } from '../a-server.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

/** A server over memory. `wrap` replaces parts of its storage. */
async function aServerOver(wrap: (storage: Storage) => Partial<Storage>, flags: Record<string, string> = {}) {
  const clock = createManualClock(currentTimeMs())
  const memory = memoryStorage({ clock })
  const storage = { ...memory, ...wrap(memory) }
  const settings = resolveSettings({ flags: { memory: true, port: '0', ...flags }, environment: {} })
  const server = await startServer({ settings, clock, logger: silentLogger, version: '1', seeds: [seed], storage })
  onTestFinished(() => server.stop())
  return { clock, app: server.app }
}

test('everything that expires is swept once a minute, each with its own time', async () => {
  const swept: Record<string, number[]> = {}
  const record = (name: string) => async (atMs: number) => {
    swept[name] = [...(swept[name] ?? []), atMs]
    return 0
  }
  const { clock } = await aServerOver(
    ({ recentReports, recentDeliveries, reportLog, deliveryLog }) => ({
      recentReports: { ...recentReports, sweep: async (atMs) => void (await record('recent reports')(atMs)) },
      recentDeliveries: { ...recentDeliveries, sweep: async (atMs) => void (await record('recent deliveries')(atMs)) },
      reportLog: { ...reportLog, forgetBuried: record('buried reports') },
      deliveryLog: { ...deliveryLog, forgetBuried: record('buried deliveries') },
    }),
    { 'metric-window': '2h' },
  )
  await clock.advance(60_000)
  const nowMs = clock.now()
  await clock.advance(59_999)

  expect(swept).toEqual({
    'recent reports': [nowMs - 2 * hourMs],
    'recent deliveries': [nowMs - 30 * dayMs],
    'buried reports': [nowMs - 30 * dayMs],
    'buried deliveries': [nowMs - 30 * dayMs],
  })
})

test('an update of a relay is announced to the other processes before it is answered, and those of others are heard', async () => {
  const announced: string[] = []
  let listeners = 0
  const { app } = await aServerOver(() => ({
    relayChanges: { announce: async (queue) => void announced.push(queue), listen: () => void listeners++ },
  }))
  const principal: Principal = {
    kind: 'user',
    userId: 'u',
    accountId: 'acme',
    clientId: 'app',
    scopes: ['surveillance_api'],
    tokenId: 'f.1.1',
  }
  const body = { url: 'https://relay.example.net/', state: 2 as const }
  const update = toOperationRequest<'updateRelay'>({ path: { deviceId: roof1 }, body }, { principal })

  expect((await app.handlers.updateRelay(update)).status).toBe(200)

  expect([announced, listeners]).toEqual([[roof1], 1])
})

test('the commits of the storage are counted in the metrics', async () => {
  let commit = (_commit: { calls: number; seconds: number }) => {}
  const { app } = await aServerOver(() => ({ onCommit: (listener) => void (commit = listener) }))

  commit({ calls: 7, seconds: 0.25 })

  expect(await app.metrics.text()).toMatch(/^posrep_commit_calls_sum(\{.*\})? 7$/m)
})

const mebibyte = 1024 * 1024

test('a report is stored and relayed with the limits of the settings', async () => {
  const kept: unknown[] = []
  const bounds: unknown[] = []
  const appended: { reportLog?: ReportLog } = {}
  const ofRecent = { 'recent-limit': '5', 'recent-mib': '3', 'metric-window': '2h' }
  const flags = { ...ofRecent, 'relay-backlog': '7', 'relay-backlog-mib': '11', 'client-mib': '13' }
  const { clock, app } = await aServerOver(({ recentReports, deliveryLog, reportLog }) => {
    appended.reportLog = reportLog
    return {
      recentReports: { ...recentReports, append: async (_device, _entries, bound) => void kept.push(bound) },
      deliveryLog: {
        ...deliveryLog,
        async append(_entries, bound) {
          bounds.push(bound)
          return { dropped: 0 }
        },
      },
    }
  }, flags)
  const relay = { url: 'https://relay.example/', state: 'Active' as const, failureDescription: null, sinceMs: 0 }
  await app.devices.change(roof1, (device) => ({ ...device, relay }))

  await appended.reportLog?.append([{ queue: roof1, body: JSON.stringify(aReport()) }])
  await clock.advance(0)

  expect(kept).toEqual([
    { sinceMs: clock.now() - 2 * hourMs, limit: 5, maxBytes: 3 * mebibyte, maxBytesOfClient: 13 * mebibyte },
  ])
  expect(bounds).toEqual([{ perQueue: 7, bytesPerQueue: 11 * mebibyte, bytesPerClient: 13 * mebibyte }])
})

test('when the air picture is off, nothing reads or writes its log', async () => {
  const used: PropertyKey[] = []
  const appended: { reportLog?: ReportLog } = {}
  const { clock, app } = await aServerOver(
    ({ airLog, reportLog }) => {
      appended.reportLog = reportLog
      return { airLog: new Proxy(airLog, { get: (_, name) => void used.push(name) }) }
    },
    { air: 'off' },
  )

  await appended.reportLog?.append([{ queue: roof1, body: JSON.stringify(aReport()) }])
  await clock.advance(70_000)

  expect(await app.metrics.text()).toContain('posrep_reports_total{step="processed"} 1')
  expect(used).toEqual([])
})
