/** A process with little memory, and an account that stores as much as it may and asks for all of it. */
import { gzipSync } from 'node:zlib'
import type { RecentPositionReportList } from '@posrep/spec'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../testing/real-time.ts'
import { aLargeReportText } from '../parts/a-sensor.ts'
import { aUser } from '../parts/a-user.ts'
import { deviceUrn, pilot } from '../parts/seed.ts'
import { aBrowser, type Page } from '../parts/sign-in.ts'
import { mostMemoryBytes, residentBytes } from '../soak/resident-memory.ts'
import { aScene, type Scene } from './a-scene.ts'

const mebibyte = 1024 * 1024
/** More than the window of recent reports keeps, and than a list of deliveries once had to fit into the heap. */
const reports = 140
const path = { deviceId: deviceUrn }

test('with a heap of 256 MB, the largest lists of an account are answered, and reports are accepted meanwhile', async () => {
  const scene = await aScene({
    environment: { NODE_OPTIONS: '--max-old-space-size=256' },
    // More than by default, so that the list of deliveries is large.
    flags: ['--relay-backlog-mib', '256'],
  })
  const memory = watchMemory(scene)
  // Deliveries wait from now on.
  await scene.recorder.stop()
  await submitAll(scene)
  await readAll(scene)

  await scene.server().stop()
  await scene.startAgain()
  expect((await devicePage(scene)).status).toBe(200)
  expect((await scene.submit()).status).toBe(202)
  expect(memory.mostBytes()).toBeLessThan(mostMemoryBytes)
})

async function submitAll({ sensor, ...scene }: Scene): Promise<void> {
  const headers = { 'content-encoding': 'gzip' }
  const bodies = Array.from({ length: reports }, (_, n) =>
    // Some reports have as many positions as are allowed.
    gzipSync(aLargeReportText(`large:${n}`, mebibyte, n % 25 === 0 ? 1_000 : 1)),
  )
  const send = async () => {
    for (let body = bodies.pop(); body; body = bodies.pop()) {
      const again = body
      await until('the report is accepted', async () => (await sensor.submit(again, { headers })).status === 202)
    }
  }
  await Promise.all([send(), send(), send(), send()])
  const { raw } = await aUser(scene.server())
  await until('all are processed', async () => {
    const { data } = await raw.GET('/v1/devices/{deviceId}/deliveries', { params: { path, query: { limit: 1 } } })
    return data?.pending === reports
  })
}

async function readAll(scene: Scene): Promise<void> {
  const { raw } = await aUser(scene.server())
  const recent = (query: { limit?: number; after?: string }) =>
    raw.GET('/v1/devices/{deviceId}/recent', { params: { path, query }, parseAs: 'text' })
  const deliveries = async () => {
    const query = { state: 'pending', limit: 200 } as const
    const { data, response } = await raw.GET('/v1/devices/{deviceId}/deliveries', { params: { path, query } })
    return { status: response.status, retryAfter: response.headers.get('retry-after'), listed: data?.data.length }
  }

  const [whole, page, listed, submitted, shown] = await Promise.all([
    recent({}),
    recent({ limit: 200 }),
    Promise.all(Array.from({ length: 24 }, deliveries)),
    Promise.all([scene.submit(), scene.submit(), scene.submit()]),
    devicePage(scene),
  ])

  expect([whole.response.status, page.response.status]).toEqual([200, 200])
  // The page is one of the account's reads, too.
  expect([200, 503]).toContain(shown.status)
  expect((await devicePage(scene)).status).toBe(200)
  const window = JSON.parse(String(whole.data)) as RecentPositionReportList
  expect([window.data.length >= 63, window.truncated, window.next]).toEqual([true, true, undefined])
  expect(String(whole.data).length).toBeGreaterThanOrEqual(63 * mebibyte)
  const first = JSON.parse(String(page.data)) as RecentPositionReportList
  expect([first.data.length >= 8, first.data.length < 20, first.truncated]).toEqual([true, true, true])
  expect(String(page.data).length).toBeGreaterThanOrEqual(8 * mebibyte)
  for (const answer of listed) {
    expect(answer).toEqual(
      answer.status === 200
        ? { status: 200, retryAfter: null, listed: expect.any(Number) }
        : { status: 503, retryAfter: '2', listed: undefined },
    )
  }
  expect(listed.find(({ status }) => status === 200)?.listed).toBeGreaterThanOrEqual(reports)
  expect(submitted.map(({ status }) => status)).toEqual([202, 202, 202])
}

async function devicePage(scene: Scene): Promise<Page> {
  const { uiOrigin } = scene.server().ready
  const { go, submit } = aBrowser()
  const page = new URL(`/devices/${encodeURIComponent(deviceUrn)}`, uiOrigin)
  return submit(await submit(await go(page), 'Sign in', { ...pilot }), 'Approve', {})
}

function watchMemory(scene: Scene): { mostBytes(): number } {
  let mostBytes = 0
  const watching = setInterval(async () => {
    // Between two processes there is none to measure.
    const bytes = await residentBytes(scene.server().ready.pid).catch(() => 0)
    mostBytes = Math.max(mostBytes, bytes)
  }, 100)
  onTestFinished(() => clearInterval(watching))
  return { mostBytes: () => mostBytes }
}
