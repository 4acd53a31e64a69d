/** A process with little memory, and more reports than fit into it. */
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../testing/real-time.ts'
import { aLargeReportText, aReportText, aSensor } from '../parts/a-sensor.ts'
import { aUser } from '../parts/a-user.ts'
import { deviceUrn } from '../parts/seed.ts'
import { aScene } from './a-scene.ts'

const mebibyte = 1024 * 1024

interface Flood {
  senders: number
  positions: number
  /** The body is padded with white space to this size. */
  bytes: number
  /** How many reports each sender sends. */
  each: number
}

test('I1, I8, I10: with a heap of 128 MB, floods of reports are accepted or refused, and the process keeps running', async () => {
  const scene = await aScene({ environment: { NODE_OPTIONS: '--max-old-space-size=128' } })
  const { ready, certificate, exited } = scene.server()
  let hasEnded = false
  void exited.then(() => (hasEnded = true))
  const sensor = await aSensor({ origin: ready.origin, ca: certificate.ca, connections: 200 })
  onTestFinished(() => sensor.close())
  const statuses = new Set<number | string | undefined>()
  const accepted: number[] = []
  let last = 0

  async function flood({ senders, positions, bytes, each }: Flood): Promise<void> {
    const send = async () => {
      for (let report = 0; report < each && !hasEnded; report++) {
        const own = ++last
        const answer = sensor.submit(aReportText(`roof1:${own}`, positions).padEnd(bytes))
        // A client that is too slow with a body is answered 408, or finds that the server has closed the connection.
        const status = await answer.then(({ status }) => status).catch(({ code }) => code)
        statuses.add(status)
        if (status === 202) accepted.push(own)
      }
    }
    await Promise.all(Array.from({ length: senders }, send))
  }

  // More than every buffer holds.
  await flood({ senders: 100, positions: 1_000, bytes: mebibyte, each: 3 })
  await flood({ senders: 200, positions: 100, bytes: 0, each: 10 })

  expect(hasEnded, scene.server().output().slice(-2_000)).toBe(false)
  expect([...statuses].filter((status) => ![202, 408, 503, 'EPIPE', 'ECONNRESET'].includes(status))).toEqual([])
  expect(accepted.length).toBeGreaterThan(10)
  await until('reports are accepted again', async () => (await scene.submit()).status === 202)
  const received = () => scene.recorder.received('roof1')
  await until('every accepted report has arrived', () => accepted.every((own) => received().has(own)))
})

test('I1, I8: with --memory and a heap of 256 MB, a relay that is away costs old deliveries, which are counted, and not the process', async () => {
  const scene = await aScene({
    environment: { NODE_OPTIONS: '--max-old-space-size=256' },
    flags: ['--memory', '--relay-backlog-mib', '1024'],
  })
  let hasEnded = false
  void scene.server().exited.then(() => (hasEnded = true))
  await scene.recorder.stop()
  const { raw } = await aUser(scene.server())

  // More than the heap.
  const bodies = Array.from({ length: 300 }, (_, n) => gzipSync(aLargeReportText(`large:${n}`, mebibyte)))
  const send = async () => {
    for (let body = bodies.pop(); body; body = bodies.pop()) {
      const again = body
      const headers = { 'content-encoding': 'gzip' }
      await until('the report is accepted', async () => (await scene.sensor.submit(again, { headers })).status === 202)
    }
  }
  await Promise.all([send(), send(), send(), send()])

  expect(hasEnded, scene.server().output().slice(-2_000)).toBe(false)
  const path = { deviceId: deviceUrn }
  await until('all are processed, and what was dropped is counted', async () => {
    const { data } = await raw.GET('/v1/devices/{deviceId}/deliveries', { params: { path, query: { limit: 1 } } })
    return data !== undefined && data.pending > 0 && data.pending + data.dropped === 300
  })
  expect((await scene.submit()).status).toBe(202)
})
